// The filters of a list, joined by an extension of NSPredicate.
import Foundation

protocol Chip { var isOn: Bool { get } }

extension NSPredicate {
    static func named(_ prefix: String) -> NSPredicate {
        NSPredicate { object, _ in (object as? String)?.hasPrefix(prefix) ?? false }
    }

    static func && (left: NSPredicate, right: NSPredicate) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [left, right])
    }

    static func || (left: NSPredicate, right: NSPredicate) -> NSPredicate {
        NSCompoundPredicate(orPredicateWithSubpredicates: [left, right])
    }

    static prefix func ! (part: NSPredicate) -> NSPredicate { NSCompoundPredicate(notPredicateWithSubpredicate: part) }
}

extension NSCompoundPredicate: Chip {
    var isOn: Bool { !subpredicates.isEmpty }
    var partCount: Int { subpredicates.count }
}

func filterChips() -> [String] {
    let names = ["Ada", "Bob", "Al"]
    let (a, b, long): (NSPredicate, NSPredicate, NSPredicate) = (.named("A"), .named("B"), .named("Al"))
    let either: NSPredicate = a || b
    let chips: [NSPredicate] = [a && long, b || long, !a, !either, NSPredicate(value: true)]
    var lines = chips.map { chip in names.filter { chip.evaluate(with: $0) }.joined(separator: " ") }
    lines += chips.map { "\(($0 as? any Chip)?.isOn ?? false) \(($0 as? NSCompoundPredicate)?.partCount ?? 0)" }
    return lines
}
