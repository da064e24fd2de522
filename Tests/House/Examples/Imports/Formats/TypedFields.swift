// Fields of a model with generic operators, among them one for a name and a literal.
import Foundation

protocol Storable { var argument: Any { get } }

extension Int: Storable { var argument: Any { self } }
extension Bool: Storable { var argument: Any { NSNumber(value: self) } }
extension String: Storable { var argument: Any { self } }

struct Field<Value: Storable>: ExpressibleByStringLiteral {
    let name: String
    init(stringLiteral name: String) { self.name = name }

    func format(_ operation: String, _ value: Value) -> NSPredicate {
        NSPredicate(format: "%K \(operation) %@", argumentArray: [name, value.argument])
    }
}

func == <Value: Storable>(left: Field<Value>, right: Value) -> NSPredicate { left.format("==", right) }
func != <Value: Storable>(left: Field<Value>, right: Value) -> NSPredicate { left.format("!=", right) }
func < (left: Field<Int>, right: Int) -> NSPredicate { left.format("<", right) }
func << (left: String, right: [any Storable]) -> NSPredicate {
    NSPredicate(format: "%K IN %@", left, right.map(\.argument))
}
func == (left: String, right: some Storable) -> NSPredicate {
    NSPredicate(format: "%K == %@", argumentArray: [left, right.argument])
}

func typedFields() -> [String] {
    let (age, name): (Field<Int>, Field<String>) = ("age", "name")
    let row: [String: Any] = ["age": 30, "name": "Ada", "isOpen": false]
    var predicates: [NSPredicate] = [age == 30, age < 30, name != "Ada"]
    predicates += ["isOpen" == false, "age" << [1, 30], "name" == "Bo"]
    let same: NSPredicate = age == 30
    var lines = predicates.map { "\($0.description) \($0.evaluate(with: row))" }
    lines.append("\(predicates[0] == same) \(predicates[0] == predicates[1])")
    return lines
}
