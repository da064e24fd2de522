// What each function of the catalogue takes and yields, by its selector: the one table of function types. The
// collection operators and the methods that FUNCTION names are in it too. What a host adds is not: it
// takes and yields anything.
import PredicateSyntax

/// What one argument must be.
enum Parameter {
    case any, number, text, date
    /// What Foundation reads a number from.
    case numberOrText
    /// What has a text form.
    case printable
    case collection
    /// Collections whose elements can be added, or put into order.
    case numbers, ordered

    /// Which finding an argument of this type is; nil where it is fine. nil and unknown types always are.
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

/// What a function takes and yields. That a nil argument gives nil is the caller's (LANGUAGE C 4).
struct Signature {
    let parameters: [Parameter]
    let result: ([ExpressionType]) -> ExpressionType
    /// The result counts something.
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

    /// nil for what the table does not know.
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
        // Any number that is whole; whether it is, only the object shows.
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

    /// A method's target is its first parameter.
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
