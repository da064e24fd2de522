import Foundation
import PredicateFoundation

class RecipeBrowser {
    var maximumMinutes: Int?
    var ingredient: String?
    var isVegetarian: Bool?
    var excluded: [String] = []

    func makePredicate() -> NSPredicate {
        var subpredicates: [NSPredicate] = []
        if let minutes = maximumMinutes {
            subpredicates.append(NSPredicate(format: "minutes <= %i", minutes))
        }
        if let ingredient = ingredient {
            subpredicates.append(NSPredicate(format: "%@ IN ingredients", ingredient))
        }
        if let vegetarian = isVegetarian {
            subpredicates.append(NSPredicate(format: "vegetarian == %@", argumentArray: [vegetarian]))
        }
        for word in excluded {
            let contains = NSPredicate(format: "name CONTAINS[cd] %@", word)
            subpredicates.append(NSCompoundPredicate(notPredicateWithSubpredicate: contains))
        }
        guard !subpredicates.isEmpty else { return NSPredicate(value: true) }
        return NSCompoundPredicate(andPredicateWithSubpredicates: subpredicates)
    }

    func names(in recipes: [NSDictionary]) -> [String] {
        let found = (recipes as NSArray).filtered(using: makePredicate())
        return found.map { ($0 as! NSDictionary)["name"] as! String }
    }
}
