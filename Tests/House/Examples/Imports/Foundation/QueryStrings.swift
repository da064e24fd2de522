// The app's own query language: its operators compare a name with a literal.
import Foundation

protocol QueryValue { var text: String { get } }

extension Int: QueryValue { var text: String { "\(self)" } }
extension Bool: QueryValue { var text: String { self ? "yes" : "no" } }
extension String: QueryValue { var text: String { "'\(self)'" } }
extension Double: QueryValue { var text: String { "\(self)" } }

struct Condition: Equatable {
    var text: String

    static func && (left: Condition, right: Condition) -> Condition {
        Condition(text: "(\(left.text) & \(right.text))")
    }
    static func || (left: Condition, right: Condition) -> Condition {
        Condition(text: "(\(left.text) | \(right.text))")
    }
    static prefix func ! (part: Condition) -> Condition { Condition(text: "not \(part.text)") }
}

func == (left: String, right: some QueryValue) -> Condition { Condition(text: "\(left) = \(right.text)") }
func != (left: String, right: some QueryValue) -> Condition { Condition(text: "\(left) <> \(right.text)") }
func > (left: String, right: some QueryValue) -> Condition { Condition(text: "\(left) > \(right.text)") }
func ~= (left: String, right: some QueryValue) -> Condition { Condition(text: "\(left) ~ \(right.text)") }
func / (left: String, right: Int) -> String { "\(left)[\(right)]" }

func queryStrings() -> [String] {
    var conditions: [Condition] = ["isValid" == false, "age" == 1, "age" != 1.5, "name" > "a"]
    conditions += ["tags" / 2 == true, "name" ~= "b"]
    let (three, valid): (Condition, Condition) = ("age" == 3, "isValid" == true)
    conditions.append(!(three && valid || conditions[0]))
    return conditions.map(\.text) + ["\("a" == "a") \(1 == 1.0) \(!true || 2 > 1)"]
}
