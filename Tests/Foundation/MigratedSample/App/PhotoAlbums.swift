import Foundation
import PredicateFoundation

struct SmartAlbum {
    let name: String
    let predicate: NSPredicate

    static func people(named name: String) -> SmartAlbum {
        SmartAlbum(name: name, predicate: NSPredicate(format: "ANY people.firstName == %@", name))
    }

    static func groups(of count: Int) -> SmartAlbum {
        SmartAlbum(name: "Groups", predicate: NSPredicate(format: "people.@count >= %d", count))
    }

    static let landscape = SmartAlbum(name: "Landscape", predicate: NSPredicate(format: "width > height"))

    static func favorites(in country: String) -> SmartAlbum {
        SmartAlbum(name: country, predicate: NSPredicate(format: "rating >= 4 && place.country ==[c] %@", country))
    }

    static let familyOnly = SmartAlbum(
        name: "Family",
        predicate: NSPredicate(
            format: "SUBQUERY(people, $p, $p.lastName == %@).@count == people.@count AND people.@count > 0", "Lee"))

    func photos(in library: [Photo]) -> [Int] {
        (library as NSArray).filtered(using: predicate).compactMap { ($0 as? Photo)?.identifier }
    }
}
