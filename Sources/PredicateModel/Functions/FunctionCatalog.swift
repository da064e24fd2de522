// The allow-list: every function that a text may call and every method that FUNCTION may name (LANGUAGE 4, C 7). What
// is not in it is unknown; nothing is ever looked up anywhere else. The bodies stand beside their tables in this
// folder.
package import PredicateSyntax

/// The functions, methods and operators that predicates may use.
///
///     FunctionCatalog.standard.function(named: "sum:")?.arity  // 1
///
/// A value: a host adds its own to a copy and hands it over in the options of evaluation and of checking.
public struct FunctionCatalog: Sendable {
    private var functionTable: [String: Function] = [:]
    private var methodTable: [String: Function] = [:]
    /// Selectors that may stand as operators: `SELF isKindOfClass: x`. None are built in.
    public private(set) var operators: [String: CustomOperator] = [:]

    public init() {}

    /// Section 4 of the language and a few pure methods.
    public static let standard: FunctionCatalog = {
        var catalog = FunctionCatalog()
        for function in aggregateFunctions + numericFunctions + miscellaneousFunctions {
            catalog.add(function.asStandard)
        }
        for method in standardMethods { catalog.addMethod(method.asStandard) }
        return catalog
    }()

    /// The function of a whole selector, `sum:`; nil where there is none.
    public func function(named name: String) -> Function? { functionTable[name] }

    /// The method of a selector, `stringByAppendingString:`; its first argument is the target.
    public func method(named selector: String) -> Function? { methodTable[selector] }

    /// Why FUNCTION may not call a method with this many arguments; nil where it may. As to Apple, the text is in order:
    /// the call is refused where it would run (LANGUAGE C 7).
    package func refusal(ofMethod selector: String, argumentCount: Int, at span: SourceSpan) -> Diagnostic? {
        guard let method = method(named: selector) else { return Diagnostic(.refusedMethod, at: span, selector) }
        guard method.arity != argumentCount + 1 else { return nil }
        return Diagnostic(
            .refusedMethod, at: span, selector, ": it takes \(Function.count(method.arity - 1)), not \(argumentCount)")
    }

    /// A method that takes only its target: what may also be read as a key, `name.length` (LANGUAGE 5.3).
    public func property(named key: String) -> Function? {
        guard let method = methodTable[key], method.arity == 1 else { return nil }
        return method
    }

    /// All functions, by name.
    public var functions: [Function] { functionTable.values.sorted { $0.name < $1.name } }
    /// All methods, by selector.
    public var methods: [Function] { methodTable.values.sorted { $0.name < $1.name } }
    public var functionNames: [String] { functionTable.keys.sorted() }
    public var methodNames: [String] { methodTable.keys.sorted() }
    public var operatorNames: [String] { operators.keys.sorted() }
    /// The classes that CAST takes.
    public var castTypes: [String] { Conversions.types }

    /// Adds a function, or replaces the one of that name.
    public mutating func add(_ function: Function) { functionTable[function.name] = function }

    /// Adds a method; its arity counts the target.
    public mutating func addMethod(_ method: Function) { methodTable[method.name] = method }

    /// Adds an operator by its selector, `notContainedIn:`.
    public mutating func addOperator(_ selector: String, _ test: @escaping CustomOperator) {
        operators[selector] = test
    }
}

extension Function {
    fileprivate var asStandard: Function {
        var function = self
        function.isStandard = true
        return function
    }
}

extension Value {
    /// The operand of a numeric function.
    func number(for name: String, at place: EvaluationFault.Place = .argument(0)) throws(EvaluationFault) -> Double {
        guard let number = doubleValue else { throw EvaluationFault(.operandType, name, typeDescription, at: place) }
        return number
    }

    /// The operand of a function of integers.
    func integer(for name: String, at place: EvaluationFault.Place = .argument(0)) throws(EvaluationFault) -> Int64 {
        guard let number = exactInteger else { throw EvaluationFault(.operandType, name, typeDescription, at: place) }
        return number
    }

    /// The operand of a function of texts.
    func text(for name: String, at place: EvaluationFault.Place = .argument(0)) throws(EvaluationFault) -> String {
        guard case .string(let text) = self else {
            throw EvaluationFault(.stringOperand, name, typeDescription, at: place)
        }
        return text
    }

    /// The operand of a function of collections.
    func collection(for name: String) throws(EvaluationFault) -> [Value] {
        guard let elements else { throw EvaluationFault(.notACollection, name, typeDescription, at: .argument(0)) }
        return elements
    }
}
