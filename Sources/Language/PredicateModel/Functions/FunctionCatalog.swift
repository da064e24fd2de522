// The allow-list of all functions that a predicate may call, and of all methods for FUNCTION (LANGUAGE 4, C 7). A name
// that is not in the list is unknown; it is not looked up anywhere else. The other files of this folder define the
// functions.

/// The functions, methods and operators for predicates.
///
///     var catalog = FunctionCatalog.standard
///     catalog.add(PredicateFunction("half:", arity: 1, signature: "half:(number)", summary: "half of a number") {
///         (arguments, _) in .double((arguments[0].doubleValue ?? 0) / 2)
///     })
///
/// A value type: an app adds functions to a copy, and makes a `PredicateEnvironment` with it.
public struct FunctionCatalog: Sendable {
    private var functionTable: [String: PredicateFunction] = [:]
    private var methodTable: [String: PredicateFunction] = [:]
    /// Whether the methods are those of the standard catalogue.
    package private(set) var hasStandardMethods = false
    /// What the parts of a combination define differently, as predicates write it: names, `[l]`, UTI-CONFORMS-TO.
    var conflicts: Set<String> = []
    /// Selectors used as operators: `SELF isKindOfClass: x`. There are none by default.
    package private(set) var operators: [String: RegisteredOperator] = [:]

    /// An empty catalogue. Start from `standard` to keep the standard functions.
    public init() {}

    /// The functions of LANGUAGE 4 and some methods without side effects.
    public static let standard: FunctionCatalog = {
        var catalog = FunctionCatalog()
        for function in aggregateFunctions + numericFunctions + miscellaneousFunctions { catalog.add(function) }
        for method in standardMethods { catalog.addMethod(method) }
        catalog.hasStandardMethods = true
        return catalog
    }()

    /// The function of a whole selector such as `sum:`; nil if there is none.
    package func function(named name: String) -> PredicateFunction? { functionTable[name] }

    /// The number of arguments of the function with this name in messages; nil if there is none.
    func arity(ofShown name: String) -> Int? {
        functionTable.values.first { PredicateFunction.shown($0.name) == name }?.arity
    }

    /// The method of a selector such as `stringByAppendingString:`. Its first argument is the target.
    package func method(named selector: String) -> PredicateFunction? { methodTable[selector] }

    /// The reason why FUNCTION cannot call a method with this number of arguments; nil if it can. As on Apple's
    /// platforms, this is not a parse error: the call is refused when the predicate is evaluated (LANGUAGE C 7).
    package func refusal(ofMethod selector: String, argumentCount: Int, at span: SourceSpan) -> PredicateDiagnostic? {
        guard let method = method(named: selector) else {
            let sign = Vocabulary.comparison(forMethod: String(selector.prefix { $0 != ":" }))
            let advice =
                sign.map { "write a comparison with \($0)" }
                ?? Suggestions.nearest(to: selector, in: methodNames).map { "did you mean \"\($0)\"?" } ?? ""
            return PredicateDiagnostic(
                .refusedMethod, at: span, selector, "",
                selector == "isKindOfClass:" ? "a predicate cannot test types" : advice)
        }
        guard method.arity != argumentCount + 1 else { return nil }
        return PredicateDiagnostic(
            .refusedMethod, at: span, selector,
            ": it takes \(PredicateFunction.count(method.arity - 1)), not \(argumentCount)")
    }

    /// A method without arguments other than its target. It can also be read as a key: `name.length` (LANGUAGE 5.3).
    package func property(named key: String) -> PredicateFunction? {
        guard let method = methodTable[key], method.arity == 1 else { return nil }
        return method
    }

    /// The type of such a method's result; nil if there is none, or if its type is not known.
    package func type(ofProperty key: String) -> ExpressionType? { property(named: key)?.types?.result([.any]) }

    /// The methods without arguments that values of a type have, sorted by name.
    package func properties(of type: ExpressionType) -> [PredicateFunction] {
        methods.filter { method in
            guard let types = method.types, types.parameters.count == 1 else { return false }
            return types.parameters[0].refuses(type) == nil
        }
    }

    /// The method without arguments that an unknown key of a value probably means: `count`, `lenght`. nil if none is
    /// similar.
    package func property(meantBy key: String, of type: ExpressionType) -> String? {
        if type.kind == .string, let meant = Self.textProperty(key) { return meant }
        return Suggestions.nearest(to: key, in: properties(of: type).map { $0.name })
    }

    /// All functions, sorted by name.
    package var functions: [PredicateFunction] { functionTable.values.ordered { $0.name < $1.name } }
    /// All methods, sorted by selector.
    package var methods: [PredicateFunction] { methodTable.values.ordered { $0.name < $1.name } }
    /// The names of all functions, sorted.
    package var functionNames: [String] { functionTable.keys.ordered() }
    /// The selectors of all methods, sorted.
    package var methodNames: [String] { methodTable.keys.ordered() }
    /// The class names that CAST accepts.
    package var castTypes: [String] { Conversions.types }

    /// The standard function with a given computation.
    package static func standard(_ intrinsic: PredicateFunction.Intrinsic) -> PredicateFunction? {
        byIntrinsic[intrinsic]
    }

    private static let byIntrinsic = Dictionary(
        standard.functions.compactMap { function in function.intrinsic.map { ($0, function) } },
        uniquingKeysWith: { first, _ in first })

    /// Adds a function, or replaces the function of that name.
    public mutating func add(_ function: PredicateFunction) { functionTable[function.name] = function }

    /// Adds a method. Its arity includes the target.
    public mutating func addMethod(_ method: PredicateFunction) {
        methodTable[method.name] = method
        hasStandardMethods = false
    }

    /// Adds functions and methods whose names are free.
    mutating func addMissing(_ functions: [PredicateFunction], methods: [PredicateFunction]) {
        for function in functions where functionTable[function.name] == nil { functionTable[function.name] = function }
        for method in methods where methodTable[method.name] == nil { methodTable[method.name] = method }
    }

    /// Adds an operator with its selector, such as `notContainedIn:`.
    public mutating func addOperator(_ selector: String, _ test: @escaping CustomOperator) {
        operators[selector] = RegisteredOperator(test: test)
    }

    /// Adds the definitions of another catalogue. A name that both define differently keeps its definition here, and is
    /// added to `conflicts`.
    mutating func join(_ other: FunctionCatalog) {
        conflicts.formUnion(other.conflicts)
        func join<T>(_ mine: inout [String: T], _ others: [String: T], _ identity: (T) -> DefinitionIdentity) {
            for (name, definition) in others {
                if let known = mine[name], identity(known) !== identity(definition) { conflicts.insert(name) }
                if mine[name] == nil { mine[name] = definition }
            }
        }
        join(&functionTable, other.functionTable) { $0.identity }
        join(&methodTable, other.methodTable) { $0.identity }
        hasStandardMethods = hasStandardMethods && other.hasStandardMethods
        join(&operators, other.operators) { $0.identity }
    }
}

/// Distinguishes a definition from others of the same name. The copies of a function share its identity.
final class DefinitionIdentity: Sendable {}

extension FunctionCatalog {
    /// Names of functions in other languages, with the equivalent function here.
    static let synonyms = [
        "lower": "lowercase", "lowercased": "lowercase", "lcase": "lowercase", "tolower": "lowercase",
        "upper": "uppercase", "uppercased": "uppercase", "ucase": "uppercase", "toupper": "uppercase",
        "len": "length", "strlen": "length", "avg": "average", "mean": "average", "size": "count", "ceil": "ceiling",
        "pow": "raise:toPower:", "power": "raise:toPower:", "mod": "modulus:by:",
        "modulus": "modulus:by:", "modulo": "modulus:by:", "remainder": "modulus:by:", "date": "now", "getdate": "now",
        "nsdate": "now",
        "today": "now", "currentdate": "now", "total": "sum", "minimum": "min", "maximum": "max", "rand": "random",
        "if": "TERNARY", "iif": "TERNARY",
    ]

    /// The method of texts that corresponds to a property or method of another language. nil if there is none.
    package static func textProperty(_ key: String) -> String? {
        switch key.lowercased() {
        case "count", "size", "len": "length"
        case "lowercased", "lowercase", "lower": "lowercaseString"
        case "uppercased", "uppercase", "upper": "uppercaseString"
        default: nil
        }
    }

    /// What to write instead of functions that have no equivalent; nil for other names.
    static func advice(for name: String, argumentCount: Int) -> String? {
        switch name.lowercased() {
        case "optional" where argumentCount == 1: "Swift inserted an optional: unwrap it, and pass its value for %@"
        case "date" where argumentCount > 0: "write CAST(\"2020-01-31\", \"NSDate\")"
        case "str", "string", "tostring", "nsstring", "text": "write CAST(a, \"NSString\")"
        case "int", "integer", "float", "double", "number", "nsnumber", "tonumber", "parseint":
            "write CAST(a, \"NSNumber\")"
        case "indexof", "index", "instr", "strpos", "charindex": "test with CONTAINS, or with BEGINSWITH for the start"
        case "today", "days", "weeks", "months", "years", "yesterday", "tomorrow", "dateadd", "datediff", "date_add",
            "date_sub":
            "compute the date first, and pass it for %@\(LanguageOptions.or("dates"))"
        case "year", "month", "day", "hour", "minute", "weekday":
            "compare with two dates: date >= %@ AND date < %@"
                + LanguageOptions.or("dates") + " and date.\(name.lowercased())"
        default: nil
        }
    }

    /// The detail of an unknown key of a date that the extension `dates` knows; none for other keys.
    static func advice(forKeyOfDate key: String) -> [String] {
        DatePart(rawValue: key) == nil ? [] : [LanguageOptions.advice("dates")]
    }

    /// The fault for an unknown key of a date.
    package static func fault(ofDateKey key: String, _ type: String) -> EvaluationFault {
        EvaluationFault(.unknownKey, details: [type, key] + advice(forKeyOfDate: key))
    }

    /// Whether a text can be a key: letters, digits and underscores.
    package static func isWord(_ text: String) -> Bool {
        text.utf8.first?.beginsWord ?? false && text.utf8.allSatisfy { $0.isOfWord }
    }

    /// Words that other languages use for values, with those of this language. The words may also be keys.
    package static let valueSynonyms = [
        "now": "now()", "today": "now()", "current_date": "now()", "current_timestamp": "now()", "undefined": "nil",
        "none": "nil", "nothing": "nil", "nsnull": "nil",
    ]
}

extension PredicateValue {
    /// The value as a number; throws `operand-type` if it is not one.
    func number(for name: String, at place: EvaluationFault.Place = .argument(0)) throws(EvaluationFault) -> Double {
        guard let number = doubleValue else { throw EvaluationFault(.operandType, name, typeDescription, at: place) }
        return number
    }

    /// The value as an integer; throws `operand-type` if it is not one.
    func integer(for name: String, at place: EvaluationFault.Place = .argument(0)) throws(EvaluationFault) -> Int64 {
        guard let number = exactInteger else { throw EvaluationFault(.operandType, name, typeDescription, at: place) }
        return number
    }

    /// The value as a text; throws `string-operand` if it is not one.
    func text(for name: String, at place: EvaluationFault.Place = .argument(0)) throws(EvaluationFault) -> String {
        guard case .string(let text) = self else {
            throw EvaluationFault(.stringOperand, name, typeDescription, at: place)
        }
        return text
    }

    /// The elements of the value; throws `not-a-collection` if it is not a collection.
    func collection(for name: String) throws(EvaluationFault) -> [PredicateValue] {
        guard let elements else { throw EvaluationFault(.notACollection, name, typeDescription, at: .argument(0)) }
        return elements
    }
}

extension FunctionCatalog {
    /// Whether a node is a call whose result may differ in each evaluation, such as `now()`.
    package func isVolatile(_ node: ExpressionNode) -> Bool { volatility(of: node) != nil }

    /// Whether a predicate has a call that may give another value at each place of one evaluation, such as `random()`.
    /// `now()` is the same everywhere.
    package func differs(in node: PredicateNode) -> Bool {
        PredicateTree.predicate(node).contains { volatility(of: $0) == .differs }
    }

    private enum Volatility { case byClock, differs }

    private func volatility(of node: ExpressionNode) -> Volatility? {
        let function: PredicateFunction?
        switch node.kind {
        case .call(let name, _): function = self.function(named: name)
        case .method(_, let selector, _): function = method(named: selector)
        default: return nil
        }
        guard let function else { return .differs }
        if !function.isVolatile { return nil }
        return function.asksClock ? .byClock : .differs
    }
}
