// An app whose types have names that frameworks use, too.
import Foundation

struct Matcher {
    var words: [String]
    var predicate: NSPredicate {
        let words = words
        return NSPredicate { object, _ in words.contains { (object as? String)?.contains($0) ?? false } }
    }
}

struct FetchRequest<Result> {
    var predicate = NSPredicate(value: true)
    var sort: [SortKey] = []
    func run(_ all: [Result]) -> [Result] { all.filter { predicate.evaluate(with: $0) } }
}

struct SortKey { var name: String }
struct Diagnostic: Error, CustomStringConvertible { var description: String }
enum BinaryOperator: String { case plus = "+" }
enum PredicateValue: Equatable { case number(Int), text(String) }
class CompoundPredicate { var parts = 2 }
struct Parsed { var diagnostics = [Diagnostic(description: "one")] }

extension PredicateValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    init(integerLiteral value: Int) { self = .number(value) }
    init(stringLiteral value: String) { self = .text(value) }
}

func ownNames() -> [String] {
    let request = FetchRequest<String>(predicate: Matcher(words: ["a", "b"]).predicate, sort: [SortKey(name: "n")])
    let values: [PredicateValue] = [1, "a"]
    var lines = request.run(["xa", "xx", "bx"])
    lines += Parsed().diagnostics.map(\.description)
    lines += [BinaryOperator.plus.rawValue, "\(values == [.number(1), .text("a")])", request.sort[0].name]
    lines.append("\(CompoundPredicate().parts)")
    return lines
}
