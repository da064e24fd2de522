// Sort descriptors with names of their own, and lists that are filtered and sorted.
import Foundation

extension NSSortDescriptor {
    static func ascending(_ key: String) -> NSSortDescriptor { NSSortDescriptor(key: key, ascending: true) }
    static func descending(_ key: String) -> NSSortDescriptor { NSSortDescriptor(key: key, ascending: false) }
    static prefix func ! (descriptor: NSSortDescriptor) -> NSSortDescriptor {
        NSSortDescriptor(key: descriptor.key, ascending: !descriptor.ascending)
    }
}

extension NSArray {
    func page(_ predicate: NSPredicate, _ order: NSSortDescriptor...) -> [String] {
        (filtered(using: predicate) as NSArray).sortedArray(using: order)
            .map { ($0 as? [String: Any])?["name"] as? String ?? "" }
    }
}

extension Array where Element == NSPredicate {
    var all: NSPredicate { NSCompoundPredicate(andPredicateWithSubpredicates: self) }
}

func sortOrders() -> [String] {
    let rows: NSArray = [
        ["name": "Bob", "age": 17], ["name": "Ada", "age": 36], ["name": "Cy", "age": 36], ["name": "Di", "age": 8],
    ]
    let old = [NSPredicate(format: "age > 10"), NSPredicate(format: "name != 'x'")].all
    let list = NSMutableArray(array: rows)
    list.filter(using: NSPredicate(format: "age == %@", NSNumber(value: 36)))
    var pages = [rows.page(old, .descending("age"), .ascending("name")), rows.page(old, !.ascending("name"))]
    pages.append(rows.page(NSPredicate(format: "FALSEPREDICATE"), .ascending("age")))
    return pages.map { $0.joined(separator: " ") } + ["\(list.count)"]
}
