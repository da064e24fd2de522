// No throwing call ends the process, whatever its input. The calls run in a child process, because a trap would end the
// tests.
import Foundation
import PredicateFoundation
import PredicateTestSupport
import Testing

private final class Loop: Encodable {
    var next: Loop?
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(next)
    }
}

private final class Link: Codable {
    var next: Link?
}

private class Rule: NSPredicate {}
private class NamedRule: NSPredicate { var name = "a" }
private class Both: NSCompoundPredicate {}

@Suite struct HostileCallTests {
    private static let formats = [
        "a UTI-CONFORMS-TO 'x'", "a UTI-EQUALS 'x'", "a TOKENMATCHES 'x'", "SELF isKindOfClass: 'x'", "a == 1",
        "a == 1 AND b == 2", "NOT a == 1", "TRUEPREDICATE", "a BETWEEN {1}", "a IN 5", "a MATCHES '('", "a[FIRST] == 1",
        "FUNCTION(a, 'delete:', 5) == 1", "CAST(a, 'Other') == 1", "$x.a == 1", "($x := a) == 1", "a.@sum == 1",
        "SUBQUERY(a, $x, $x == a).@count > 0", "TERNARY(a == 1, a, nil) == 1", "a / 0 == 1",
        "9223372036854775807 + 1 == a", "a ** 1000000 == 1", "a << 5000 == 1", "a.b.c.d == nil", "@x == 1", "", "((",
        "a == %@", "a == %d", "%K == 1", "a == $x", "SELF == nil", "{} == a", "a == 'b' OR", "ALL a == 1", "a[99] == 1",
        "a UNION b == 1", "a -1 == 2", "self.self.self == 1", "a == 1e999", "random() == now()", "noindex:(a) == 1",
    ]

    private static func objects() -> [Any?] {
        // No NSArray that contains itself: each access in Foundation converts all of it, without end.
        var deep: Any = 1
        for _ in 0..<250 { deep = [deep] }
        return [
            nil, 1, "a", ["a": 1], ["a": NSNull()], deep, NSArray(object: deep),
            NSDictionary(object: deep, forKey: "a" as NSString), NSNull(), Item("a", price: .nan), ada,
            Rule(value: true), Set<Decimal>([1]), Optional<Any>.none as Any, { 1 } as () -> Int, Int.self, \Item.title,
            Decimal.nan, Double.infinity, UInt64.max, NSNumber(value: UInt64.max), Data([1]), AnyHashable(1), (1, "a"),
            [Decimal(1): 2], NSPredicate(value: true), NSExpression(forKeyPath: "a"), URL(fileURLWithPath: "/"),
            Date.distantFuture,
        ]
    }

    @Test func predicatesThrow() async {
        await #expect(processExitsWith: .success) {
            let objects = Self.objects()
            for format in Self.formats {
                for argument in format.contains("%") ? objects : [nil] {
                    guard let predicate = try? NSPredicate(checking: format, argument) else { continue }
                    for object in objects {
                        _ = try? predicate.evaluate(checking: object)
                        _ = try? predicate.evaluate(checking: object, substitutionVariables: ["x": object as Any])
                    }
                    let format = try? FormatPredicate(predicate)
                    _ = try? format?.foundationPredicate(for: Client.self)
                    _ = try? format.map { try NSPredicate($0) }
                    // No decimals, because TRUEPREDICATE is Foundation's, which casts them.
                    _ = [predicate.isEqual(nil), predicate.isEqual(1), predicate.isEqual(ada)]
                    _ = [predicate.description, "\(predicate.hash)"]
                }
                _ = try? NSExpression(checking: format)
                _ = try? NSPredicate(checking: format, argumentArray: objects.map { $0 as Any })
            }
        }
    }

    /// Formats of another class than the one whose initialiser is called.
    @Test func subclassesThrow() async {
        await #expect(processExitsWith: .success) {
            for format in Self.formats {
                _ = try? NSComparisonPredicate(checking: format)
                _ = try? NSCompoundPredicate(checking: format)
                _ = try? NamedRule(checking: format)
                _ = try? Rule(checking: format)
                _ = try? Both(checking: format)
                guard let predicate = try? FormatPredicate(text: format) else { continue }
                _ = try? NSComparisonPredicate(predicate)
                _ = try? NSCompoundPredicate(predicate)
                _ = try? NamedRule(predicate)
            }
        }
    }

    @Test func expressionsThrow() async {
        await #expect(processExitsWith: .success) {
            let objects = Self.objects()
            let formats = [
                "a", "a + 1", "$x", "sum(a)", "max:({})", "a[0]", "SELF", "%@", "CAST(a, 'NSDate')", "1 / 0",
            ]
            for format in formats + ["FUNCTION(a, 'b')", "{a, b}", "$x := a", "ANYKEY", "a.@count", "a UNION a"] {
                for object in objects {
                    guard let expression = try? NSExpression(checking: format, object) else { continue }
                    _ = try? expression.expressionValue(checking: object)
                    _ = try? expression.expressionValue(checking: object, context: ["x": 5])
                    _ = try? FormatExpression(expression)
                    _ = expression.expressionType
                    _ = [expression.description, "\(expression.hash)", "\(expression.isEqual(object))"]
                }
            }
        }
    }

    @Test func valuesThrow() async {
        await #expect(processExitsWith: .success) {
            let loop = Loop()
            loop.next = loop
            let link = Link()
            link.next = link
            #expect(throws: EncodingError.self) { try PredicateValue.encoding(loop) }
            #expect(throws: EncodingError.self) { try PredicateValue.encoding(link) }
            for object in Self.objects() {
                let value = try? PredicateValue(converting: object as Any)
                _ = value?.anyValue
                _ = [value?.as(Int8.self) as Any?, value?.as([Decimal].self), value?.as(Set<Decimal>.self)]
                if let object { _ = try? PredicateValue(converting: [object, ["a": object]] as [Any]) }
            }
            for bytes in [Data(), Data([0]), Data("bplist00".utf8), Data(count: 100_000)] {
                _ = try? FormatPredicate(archive: bytes)
            }
            let archive = BinaryArchive.list
            for index in archive.indices {
                for byte in [UInt8(0), 0x7F, 0xFF, archive[index] &+ 1] {
                    var broken = archive
                    broken[index] = byte
                    _ = try? FormatPredicate(archive: broken)
                }
            }
            let search = try PredicateSearch(of: Person.self)
            for text in [
                "age:>", "age:..", "age:999999999999999999999", "born:9999-12-31", "born:0000", "\"", "-", ":", "a:b:c",
            ] {
                _ = search.predicate(for: text)
            }
        }
    }

    /// Captured values that Foundation cannot compute.
    @Test func macrosThrow() async {
        await #expect(processExitsWith: .success) {
            struct Filter: Codable {
                var low = 5
                var high = 1
                var names = ["a"]
                var none: String?
                var limits: [String: Int] = [:]
                var least = Int.min
            }
            let filter = Filter()
            let predicates: [Foundation.Predicate<Client>] = [
                #Predicate { (filter.low..<filter.high).contains($0.age) },
                #Predicate { (filter.low...filter.high).contains($0.age) }, #Predicate { filter.names[5] == $0.name },
                #Predicate { filter.names[-1] == $0.name }, #Predicate { filter.names[5..<9].contains($0.name) },
                #Predicate { filter.names[filter.low..<filter.high].contains($0.name) },
                #Predicate { filter.none! == $0.name }, #Predicate { filter.limits["a"]! == $0.age },
                #Predicate { -filter.least == $0.age }, #Predicate { filter.least - 1 == $0.age },
                #Predicate { filter.least / 0 == $0.age }, #Predicate { $0.age % (filter.high - 1) == 0 },
                #Predicate { filter.names.contains($0.tags[filter.least]) },
            ]
            for predicate in predicates {
                let format = try? FormatPredicate(predicate)
                for client in Client.all { _ = try? format?.evaluate(client) }
                _ = NSPredicate(predicate)
            }
            for text in ["{}", #"{"path": "age", "options": "cdxyz"}"#, #"{"path": "", "nils": "first"}"#, "[]", "5"] {
                let key = try? JSONDecoder().decode(PredicateSortKey.self, from: Data(text.utf8))
                _ = try? key.map { try PredicateSortKey.Comparator($0, for: Client.self) }
                for type in [FormatPredicate.self, FormatExpression.self] as [any Decodable.Type] {
                    _ = try? JSONDecoder().decode(type, from: Data(text.utf8))
                }
            }
        }
    }

    /// Wide and high predicates, on the stack of an app's background thread.
    @Test func largePredicatesThrow() async {
        await #expect(processExitsWith: .success) {
            onSmallStack {
                let numbers = (0..<TestDepth.size(4_000)).map(String.init)
                var high = "age == 1"
                for _ in 0..<60 { high = "NOT (\(high) AND name == 'a')" }
                for text in [
                    "age IN {\(numbers.joined(separator: ", "))}",
                    numbers.map { "age == \($0)" }.joined(separator: " OR "),
                    numbers.map { "NOT name == '\($0)'" }.joined(separator: " AND "), high,
                ] {
                    guard let format = try? FormatPredicate(text: text) else { preconditionFailure(text) }
                    let predicate = try? format.foundationPredicate(for: Client.self)
                    for client in Client.all { _ = try? predicate?.evaluate(client) }
                    _ = try? predicate.map { try FormatPredicate($0) }
                    let object = try? NSPredicate(format)
                    _ = try? object.map { try FormatPredicate($0) }
                    _ = try? object?.evaluate(checking: Client.all[0])
                }
            }
        }
    }
}
