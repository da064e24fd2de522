import Foundation
import PredicateFoundation

struct ContactSearch {
    var contacts: [Contact]
    var onlyFavorites = false

    func results(for query: String) -> [Contact] {
        let words = query.components(separatedBy: .whitespaces).filter { !$0.isEmpty }
        var parts = words.map { word in
            NSPredicate(
                format: "firstName CONTAINS[cd] %@ OR lastName CONTAINS[cd] %@ OR email BEGINSWITH[c] %@",
                word, word, word)
        }
        if onlyFavorites {
            parts.append(NSPredicate(format: "isFavorite = YES"))
        }
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        let sorted = NSSortDescriptor(key: "lastName", ascending: true)
        let found = NSArray(array: contacts).filtered(using: predicate) as NSArray
        return found.sortedArray(using: [sorted, NSSortDescriptor(key: "firstName", ascending: true)])
            .compactMap { $0 as? Contact }
    }

    func withPhone(prefix: String) -> [Contact] {
        let predicate = NSPredicate(format: "ANY phones BEGINSWITH %@", prefix)
        return contacts.filter(predicate.evaluate(with:))
    }
}
