// The argument and result types of functions, methods and collection operators. A function added by the app has no
// signature; it takes and returns any value.

/// The type of an argument.
enum Parameter: Sendable {
    case any, number, text, date, url
    /// A text or a URL.
    case path
    /// A number, or a text from which Foundation can read one.
    case numberOrText
    /// A value with a text form.
    case printable
    case collection
    /// Collections whose elements can be summed; collections whose elements have an order.
    case numbers, ordered

    /// The error for an argument of this type; nil if the type is accepted. nil and unknown types are always accepted.
    func refuses(_ type: ExpressionType) -> DiagnosticID? {
        if type.isOpen { return nil }
        switch self {
        case .any: return nil
        case .number: return type.isNumber ? nil : .operandType
        case .text: return type.kind == .string ? nil : .stringOperand
        case .date: return type.kind == .date ? nil : .operandType
        case .url: return type.kind == .url ? nil : .operandType
        case .path: return type.kind == .string || type.kind == .url ? nil : .operandType
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

/// The parameter and result types of a function. The caller handles nil arguments, for which the result is nil
/// (LANGUAGE C 4).
struct Signature: Sendable {
    private(set) var parameters: [Parameter]
    private let resultType: @Sendable ([ExpressionType]) -> ExpressionType
    /// Whether the result is a count.
    var isCount = false

    init(_ parameters: Parameter..., result: @escaping @Sendable ([ExpressionType]) -> ExpressionType) {
        self.parameters = parameters
        resultType = result
    }

    init(_ parameters: Parameter..., yields kind: ExpressionType.Kind, isCount: Bool = false) {
        self.parameters = parameters
        self.isCount = isCount
        resultType = { _ in ExpressionType(kind) }
    }

    /// The type of the result; `any` for a call that lacks arguments.
    func result(_ types: [ExpressionType]) -> ExpressionType {
        types.count < parameters.count ? .any : resultType(types)
    }

    /// A function whose arguments are texts.
    static func texts(_ count: Int, yields kind: ExpressionType.Kind) -> Signature {
        var signature = Signature(yields: kind)
        signature.parameters = Array(repeating: .text, count: count)
        return signature
    }

    // MARK: Signatures used by a function and a collection operator

    static let sum = Signature(.numbers) { types in
        let element = types[0].element ?? .any
        return ExpressionType(element.kind == .boolean || element.kind == .null ? .integer : number(element).kind)
    }
    static let count = Signature(.collection, yields: .integer, isCount: true)
    static let extreme = Signature(.ordered) { ($0[0].element ?? .any).optional() }
    static let average = mean(otherwise: .double)
    /// A number of the type of the argument. A Boolean counts as an integer.
    static let sameNumber = Signature(.number) {
        $0[0].kind == .boolean ? ExpressionType(.integer) : number($0[0])
    }
    /// The argument itself.
    static let same = Signature(.any) { $0[0] }

    static func mean(otherwise kind: ExpressionType.Kind) -> Signature {
        Signature(.numbers) { types in
            switch types[0].element?.kind {
            case .decimal: ExpressionType(.decimal, isOptional: true)
            case .any, .number, nil: ExpressionType(.number, isOptional: true)
            default: ExpressionType(kind, isOptional: true)
            }
        }
    }

    private static func number(_ type: ExpressionType) -> ExpressionType {
        ExpressionType(type.isNumber ? type.kind : .number)
    }
}
