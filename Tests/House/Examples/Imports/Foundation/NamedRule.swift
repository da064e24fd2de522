// Subclasses with a title, which override the test, and a set of them.
import Foundation

class NamedRule: NSPredicate {
    let title: String
    private(set) var calls = 0

    init(_ title: String, block: @escaping @Sendable (Any?, [String: Any]?) -> Bool) {
        self.title = title
        super.init(block: block)
    }

    required init?(coder: NSCoder) { nil }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        calls += 1
        return super.evaluate(with: object, substitutionVariables: bindings)
    }
}

final class LimitRule: NamedRule {
    init(_ limit: Int) {
        super.init("at most \(limit)") { object, variables in
            (object as? Int ?? .max) <= (variables?["limit"] as? Int ?? limit)
        }
    }

    required init?(coder: NSCoder) { nil }
}

final class Either: NSCompoundPredicate {
    var partTitles: [String] { subpredicates.map { ($0 as? NamedRule)?.title ?? "" } }
}

func namedRule() -> [String] {
    let (small, even) = (LimitRule(3), NamedRule("even") { object, _ in (object as? Int ?? 1) % 2 == 0 })
    let either = Either(type: .or, subpredicates: [small, even])
    var lines = [1, 4, 5, 8].map { "\($0) \(small.evaluate(with: $0)) \(either.evaluate(with: $0))" }
    lines += either.partTitles
    let isSmall = small.evaluate(with: 5, substitutionVariables: ["limit": 9])
    let evens = ([5, 6, 7] as NSArray).filtered(using: even)
    lines.append("\(isSmall) \(small.calls > 4) \(evens) \(Set([small, even, small] as [NSPredicate]).count)")
    return lines
}
