import Foundation
import PredicateFoundation

final class QueryTemplates {
    static let shared = QueryTemplates()

    private var templates: [String: NSPredicate] = [:]

    func setTemplate(_ predicate: NSPredicate?, forName name: String) { templates[name] = predicate }

    func predicate(named name: String, variables: [String: Any]) -> NSPredicate? {
        guard let template = templates[name] else { return nil }
        return variables.isEmpty ? template : template.withSubstitutionVariables(variables)
    }

    init() {
        setTemplate(NSPredicate(format: "name BEGINSWITH[c] $PREFIX"), forName: "byPrefix")
        setTemplate(NSPredicate(format: "price BETWEEN {$LOW, $HIGH}"), forName: "byPrice")
        setTemplate(NSPredicate(format: "stock == 0"), forName: "soldOut")
    }
}
