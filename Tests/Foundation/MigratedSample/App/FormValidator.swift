import Foundation
import PredicateFoundation

extension String {
    var isValidEmail: Bool {
        let pattern = "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,64}"
        return NSPredicate(format: "SELF MATCHES %@", pattern).evaluate(with: self)
    }

    var isValidPhone: Bool {
        NSPredicate(format: "SELF MATCHES[c] %@", #"^\+?[0-9 ]{6,14}$"#).evaluate(with: self)
    }

    var isValidPassword: Bool {
        let rules = ["(?=.*[A-Z]).*", "(?=.*[0-9]).*", ".{8,}"]
        return rules.allSatisfy { rule in NSPredicate(format: "SELF MATCHES %@", rule).evaluate(with: self) }
    }
}

struct FormField {
    let name: String
    let rule: NSPredicate
    let message: String

    func validate(_ value: Any?) -> String? { rule.evaluate(with: value) ? nil : message }

    static let required = FormField(
        name: "any", rule: NSPredicate(format: "SELF != nil AND SELF.length > 0"), message: "must not be empty")
    static let adult = FormField(name: "age", rule: NSPredicate(format: "SELF >= 18"), message: "must be an adult")
}
