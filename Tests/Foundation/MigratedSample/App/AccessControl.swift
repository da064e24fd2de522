import Foundation
import PredicateFoundation

struct AccessRule: Codable {
    let action: String
    let condition: String

    func allows(_ user: [String: Any], resource: [String: Any]) -> Bool {
        let predicate = NSPredicate(format: condition)
        return predicate.evaluate(with: ["user": user, "resource": resource])
    }
}

struct AccessControl {
    var rules: [AccessRule]

    init(json: Data) throws { rules = try JSONDecoder().decode([AccessRule].self, from: json) }

    func can(_ action: String, user: [String: Any], resource: [String: Any]) -> Bool {
        let matching = rules.filter { NSPredicate(format: "SELF == %@", action).evaluate(with: $0.action) }
        return matching.contains { $0.allows(user, resource: resource) }
    }
}
