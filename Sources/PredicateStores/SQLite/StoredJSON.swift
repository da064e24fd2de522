// Reads lists that are stored as JSON text. A small reader for this target, which does not import
// PredicateRecords.
import Foundation
import PredicateSyntax

enum StoredJSON {
    /// nil if the text is not JSON.
    static func value(_ text: String) -> PredicateValue? {
        try? JSONDecoder().decode(Node.self, from: Foundation.Data(text.utf8)).value
    }

    private struct Node: Decodable {
        let value: PredicateValue

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                value = .null
            } else if let flag = try? container.decode(Bool.self) {
                value = .bool(flag)
            } else if let number = try? container.decode(Int64.self) {
                value = .integer(number)
            } else if let number = try? container.decode(Double.self) {
                value = .double(number)
            } else if let text = try? container.decode(String.self) {
                value = .string(text)
            } else if let elements = try? container.decode([Node].self) {
                value = .array(elements.map(\.value))
            } else {
                let members = try container.decode([String: Node].self)
                value = .dictionary(
                    ValueDictionary(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.value) }))
            }
        }
    }
}
