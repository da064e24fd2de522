// The type of a CSV column. A column has one type, decided over its fields, so that `serial == "0123"` has the
// same meaning in every record. CSVFramer decides it; CSVField reads fields by it.

/// The type of a CSV column without a type of its own (`FieldTypes`).
package enum CSVColumnType: Sendable, Hashable {
    /// No field so far has a value.
    case empty
    /// Only quoted empty fields so far.
    case blank
    /// Every field is a JSON number, without quotation marks, or empty.
    case number
    /// Every field is true or false, without quotation marks, or empty.
    case boolean
    case text

    /// The type with one more field.
    mutating func add(_ field: CSVFieldBytes, _ bytes: UnsafeBufferPointer<UInt8>) {
        if self == .text || bytes.isEmpty { return }
        if field.isQuoted {
            self = bytes.count > 2 ? .text : self == .empty ? .blank : self
            return
        }
        var found = Self.text
        if let value = CSVField.guess(bytes) {
            found = CSVField.type(of: value)
        }
        self = self == .empty || self == .blank || self == found ? found : .text
    }

    /// The type once all fields that decide it have been added.
    var decided: Self { self == .blank ? .text : self }
}
