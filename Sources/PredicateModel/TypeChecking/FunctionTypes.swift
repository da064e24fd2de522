// The argument and result types of all functions, methods and collection operators. Functions added by a host
// are not in the table; they accept and return any value.
import PredicateSyntax

/// The type of an argument.
enum Parameter {
    case any, number, text, date
    /// A number, or a text from which Foundation reads one.
    case numberOrText
    /// A value with a text form.
    case printable
    case collection
    /// Collections whose elements can be summed; collections whose elements have an order.
    case numbers, ordered

    /// The error for an argument of this type; nil if it is allowed. nil and unknown types are always allowed.
    func refuses(_ type: ExpressionType) -> DiagnosticID? {
        if type.isOpen { return nil }
        switch self {
        case .any: return nil
        case .number: return type.isNumber ? nil : .operandType
        case .text: return type.kind == .string ? nil : .stringOperand
        case .date: return type.kind == .date ? nil : .operandType
        case .numberOrText: return type.isNumber || type.kind == .string ? nil : .operandType
        case .printable:
            let fits = type.isNumber || type.kind == .string || type.kind == .uuid || type.kind == .url
            return fits ? nil : .operandType
        case .collection: return type.element == nil ? .notACollection : nil
        case .numbers:
            guard let element = type.element else { return .notACollection }
            return element.isNumber || element.isOpen ? nil : .operandType
        case .ordered:
            guard let element = type.element else { return .notACollection }
            return element.isOrdered ? nil : .operandType
        }
    }
}

/// The parameters and the result of a function. The caller handles that a nil argument gives nil (LANGUAGE C
/// 4).
struct Signature {
    let parameters: [Parameter]
    let result: ([ExpressionType]) -> ExpressionType
    /// Whether the result is a count.
    var isCount = false

    init(_ parameters: Parameter..., result: @escaping ([ExpressionType]) -> ExpressionType) {
        self.parameters = parameters
        self.result = result
    }

    init(_ parameters: Parameter..., yields kind: ExpressionType.Kind, isCount: Bool = false) {
        self.parameters = parameters
        self.isCount = isCount
        result = { _ in ExpressionType(kind) }
    }

    /// The signature of a function; nil if it is not in the table.
    static func function(_ name: String) -> Signature? {
        switch name {
        case "sum:", "@sum": Signature(.numbers) { sum($0[0].element) }
        case "count:", "@count": Signature(.collection, yields: .integer, isCount: true)
        case "min:", "max:", "@min", "@max": Signature(.ordered) { ($0[0].element ?? .any).optional() }
        case "average:", "@avg": Signature(.numbers) { mean($0[0].element, otherwise: .double) }
        case "median:": Signature(.numbers) { mean($0[0].element, otherwise: .number) }
        case "stddev:": Signature(.numbers) { _ in ExpressionType(.double, isOptional: true) }
        case "mode:": Signature(.collection) { ExpressionType(.collection(.list, of: $0[0].element ?? .any)) }
        case "distinct:": Signature(.collection) { distinct($0[0]) }
        case "abs:": Signature(.number) { $0[0].kind == .boolean ? ExpressionType(.integer) : number($0[0]) }
        case "floor:", "ceiling:", "trunc:":
            Signature(.number) { $0[0].kind == .boolean ? ExpressionType(.integer) : number($0[0]) }
        case "sqrt:", "exp:", "ln:", "log:": Signature(.number, yields: .double)
        // The numbers must be whole, which only evaluation can check.
        case "modulus:by:": Signature(.number, .number, yields: .integer)
        case "onesComplement:", "randomn:": Signature(.number, yields: .integer)
        case "now": Signature(yields: .date)
        case "random": Signature(yields: .double)
        case "uppercase:", "lowercase:": Signature(.text, yields: .string)
        case "length:": Signature(.text, yields: .integer, isCount: true)
        case "noindex:": Signature(.any) { $0[0] }
        case "distanceToLocation:fromLocation:": Signature(.any, .any, yields: .double)
        default: nil
        }
    }

    /// The signature of a method. Its target is the first parameter.
    static func method(_ selector: String) -> Signature? {
        switch selector {
        case "uppercaseString", "lowercaseString": Signature(.text, yields: .string)
        case "length": Signature(.text, yields: .integer, isCount: true)
        case "stringByAppendingString:": Signature(.text, .text, yields: .string)
        case "stringByReplacingOccurrencesOfString:withString:": Signature(.text, .text, .text, yields: .string)
        case "hasPrefix:", "hasSuffix:", "containsString:": Signature(.text, .text, yields: .boolean)
        case "self": Signature(.any) { $0[0] }
        case "description": Signature(.printable, yields: .string)
        case "stringValue": Signature(.number, yields: .string)
        case "intValue", "integerValue", "longLongValue": Signature(.numberOrText, yields: .integer)
        case "doubleValue", "floatValue": Signature(.numberOrText, yields: .double)
        case "boolValue": Signature(.numberOrText, yields: .boolean)
        case "timeIntervalSinceReferenceDate": Signature(.date, yields: .double)
        default: nil
        }
    }

    // MARK: Results

    private static func number(_ type: ExpressionType) -> ExpressionType {
        ExpressionType(type.isNumber ? type.kind : .number)
    }

    private static func sum(_ element: ExpressionType?) -> ExpressionType {
        let element = element ?? .any
        return ExpressionType(element.kind == .boolean || element.kind == .null ? .integer : number(element).kind)
    }

    private static func mean(_ element: ExpressionType?, otherwise kind: ExpressionType.Kind) -> ExpressionType {
        switch element?.kind {
        case .decimal: ExpressionType(.decimal, isOptional: true)
        case .any, .number, nil: ExpressionType(.number, isOptional: true)
        default: ExpressionType(kind, isOptional: true)
        }
    }

    private static func distinct(_ type: ExpressionType) -> ExpressionType {
        type.shape == .set ? type : ExpressionType(.collection(.list, of: type.element ?? .any))
    }
}
