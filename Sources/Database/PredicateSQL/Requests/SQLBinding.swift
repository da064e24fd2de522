// Bindings reduced to the few types that all database drivers support.

/// A binding of a statement in a form that database drivers accept.
///
///     statement.bindings.map(SQLBinding.init)    // [.integer(21), .text("Ada")]
///
/// The statement converts it to the type of the column: `$1::uuid` accepts the text of a UUID.
public enum SQLBinding: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A number, or a date as seconds since 2001-01-01 00:00 UTC.
    case double(Double)
    /// A text, or the text of a decimal, a UUID, a URL, a timestamp or a list.
    case text(String)
    case data([UInt8])

    /// Converts a binding of a statement. Statements bind no values of other types.
    public init(_ value: PredicateValue) {
        switch value {
        case .null, .nsNull: self = .null
        case .bool(let answer): self = .boolean(answer)
        case .integer(let number): self = .integer(number)
        case .float(let number): self = .double(Double(number))
        case .double(let number), .date(let number): self = .double(number)
        case .decimal(let number): self = .text(number.description)
        case .string(let text), .url(let text), .type(let text): self = .text(text)
        case .uuid(let id): self = .text(id.description)
        case .data(let bytes): self = .data(bytes)
        case .array, .set, .dictionary, .object: self = .text(value.description)
        }
    }
    /// The value in PostgreSQL's text format, such as `t` or `\x00ff`; nil for NULL. For clients that bind texts, such
    /// as libpq.
    public var postgreSQLText: String? {
        switch self {
        case .null: nil
        case .boolean(let flag): flag ? "t" : "f"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .text(let text): text
        case .data(let bytes): "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
