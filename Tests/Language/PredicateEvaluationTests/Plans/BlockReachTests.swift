// Compares blocks with the dynamic plan for values that are not stored properties of structs: objects,
// optionals on the path, lists.
import Foundation
import PredicateTestSupport
import Predicates
import Testing

@testable import PredicateEvaluation

struct BlockReachTests {
    nonisolated(unsafe) static let objects = BlockObject.make(150)
    nonisolated(unsafe) static let holders = BlockHolder.make(objects)

    /// Comparisons of a text, a number and a list at a key path.
    static func texts(_ key: String) -> [String] {
        ["== 'a'", "!= 'Ärger'", "==[c] 'ABC'", "BEGINSWITH[cd] 'A'", "ENDSWITH 'e'", "CONTAINS[c] 'TEXT'", "< 'b'"].map
        { "\(key) \($0)" }
            + ["LIKE 'a*c*'", "LIKE[c] '*r'", "MATCHES '[a-z]+'", "IN {'a', 'é', 'zebra'}", "== nil", "!= nil", "== 5"]
            .map { "\(key) \($0)" }
    }
    static func numbers(_ key: String) -> [String] {
        ["> 1", "== 3", "!= 0", "BETWEEN {0, 3}", "IN {1, 2, 9}", "== nil", "!= nil", "== 'a'"].map { "\(key) \($0)" }
    }
    static func lists(_ key: String) -> [String] {
        var all = ["ANY", "ALL", "NONE", "SOME"].flatMap { quantifier in texts(key).map { "\(quantifier) \($0)" } }
        all += ["== 'a'", "BEGINSWITH 'a'", "CONTAINS[cd] 'R'", "!= '' AND $t != 'a'", "== 'a' OR $t LIKE '*e*'"]
            .flatMap {
                condition in
                ["> 0", "== 1", "<= 2", "BETWEEN {1, 2}", "== nil", "!= nil"].map {
                    "SUBQUERY(\(key), $t, $t \(condition)).@count \($0)"
                }
            }
        return all + numbers("\(key).@count") + ["\(key) CONTAINS 'a'", "'Ärger' IN \(key)", "\(key) CONTAINS nil"]
    }

    /// Key paths from an object.
    static let ofObjects: [String] = {
        var all = ["name", "nick", "home.city", "home.pet.name", "home.pet.nick", "parent.name", "parent.parent.nick"]
            .flatMap(texts)
        all += ["initials", "city", "home.shout", "home.pet.title", "parent.home.city"].flatMap(texts)
        all += ["id", "age", "score", "home.floor", "home.pet.age", "parent.age", "parent.home.floor"].flatMap(numbers)
        all += ["tags", "labels", "parent.tags", "home.pet.toys", "parent.labels"].flatMap(lists)
        all += ["home", "home.pet", "parent", "parent.parent", "parent.home"].flatMap {
            ["\($0) == nil", "\($0) != nil"]
        }
        all += ["SUBQUERY(children, $c, $c.parent == nil).@count > 0"]
        all += ["active == YES", "parent.active == NO", "home.isOwn == YES", "born > CAST(1, 'NSDate')"]
        for key in ["numbers", "marks", "bits"] {
            for quantifier in ["ANY", "ALL", "NONE"] { all += numbers(key).map { "\(quantifier) \($0)" } }
            all += ["\(key) CONTAINS 3", "3 IN \(key)", "\(key).@count > 2"]
            all += ["SUBQUERY(\(key), $n, $n > 1 AND $n < 64).@count == 2"]
        }
        for list in ["pets", "parent.pets"] {
            for quantifier in ["ANY", "ALL", "NONE"] {
                all += (texts("\(list).name") + texts("\(list).nick") + numbers("\(list).age")).map {
                    "\(quantifier) \($0)"
                }
                all += ["\(quantifier) \(list).title BEGINSWITH 'the a'", "\(quantifier) \(list).weight >= 1.5"]
                all += ["\(quantifier) \(list).toys CONTAINS 'a'"]
            }
            all += [
                "SUBQUERY(\(list), $p, $p.age > 1 AND $p.name != 'a').@count > 0", "\(list).@count == 2",
                "SUBQUERY(\(list), $p, $p.nick == nil OR $p.toys.@count > 1).@count > 1",
                "SUBQUERY(\(list), $p, NOT ($p.title CONTAINS 'a')).@count == 1",
                "SUBQUERY(\(list), $p, $p.toys CONTAINS 'a').@count == 1",
            ]
        }
        for quantifier in ["ANY", "ALL"] {
            all += ["\(quantifier) children.name ==[c] 'abc'", "\(quantifier) children.age > 1"]
            all += ["\(quantifier) children.home.city BEGINSWITH 'a'", "\(quantifier) children.parent.nick == nil"]
        }
        return all + ["SUBQUERY(children, $c, $c.age > 1 OR $c.home.floor == 2).@count > 0", "children.@count > 1"]
    }()

    static func expected<Root>(_ matcher: PredicateMatcher<Root>, _ rows: [Root]) -> [Int] {
        rows.indices.filter { matcher.matches(rows[$0]) }
    }

    private func check<Root: Queryable>(_ texts: [String], _ rows: [Root]) throws {
        var constant = 0
        for text in TestDepth.some(texts) {
            let matcher = try FormatPredicate(text).compiled(for: Root.self)
            #expect(matcher.blocks != nil, "\(text)")
            let indices = rows.indices(matching: matcher)
            #expect(indices == Self.expected(matcher, rows), "\(text)")
            if indices.isEmpty || indices.count == rows.count { constant += 1 }
        }
        #expect(TestDepth.isQuick || constant * 3 < texts.count, "\(constant) of \(texts.count)")
    }

    @Test func fieldsOfObjectsAgreeWithTheDynamicPlan() throws { try check(Self.ofObjects, Self.objects) }

    @Test func fieldsOfStructsAgreeWithTheDynamicPlan() throws {
        var texts: [String] = []
        for text in Self.ofObjects.enumerated() where text.offset % 3 == 0 {
            texts.append(Self.rooted(text.element, "object."))
            texts.append(Self.rooted(text.element, "other."))
        }
        texts += ["home.city", "home.pet.name", "foremost.name", "foremost.nick"].flatMap(Self.texts)
        texts +=
            Self.numbers("home.floor") + Self.numbers("foremost.age") + ["ANY pets.name == 'a'", "pets.@count == 1"]
        try check(texts, Self.holders)
    }

    /// The predicate with a prefix before its first key.
    private static func rooted(_ text: String, _ prefix: String) -> String {
        if text.hasPrefix("SUBQUERY(") { return "SUBQUERY(" + prefix + text.dropFirst("SUBQUERY(".count) }
        for word in ["ANY ", "ALL ", "NONE ", "SOME "] where text.hasPrefix(word) {
            return word + prefix + text.dropFirst(word.count)
        }
        if let range = text.range(of: " IN "), text.hasPrefix("'") || text.hasPrefix("3") {
            return text[..<range.upperBound] + prefix + text[range.upperBound...]
        }
        return prefix + text
    }

    @Test func subclassesAgreeWithTheDynamicPlan() throws {
        var random = SplitMix(9)
        let rows = (0..<100).map { _ in BlockSubobject(&random) }
        for text in ["name BEGINSWITH[c] 'a'", "age > 1 AND tags.@count > 0", "ANY pets.name LIKE '*a*'"] {
            let matcher = try FormatPredicate(text).unchecked(for: BlockSubobject.self)
            #expect(matcher.blocks != nil, "\(text)")
            #expect(rows.indices(matching: matcher) == Self.expected(matcher, rows), "\(text)")
        }
    }

    @Test(.cases) func randomPredicatesAgreeWithTheDynamicPlan() {
        forEachCase(0..<TestDepth.count(20)) { seed in
            var random = SplitMix(UInt64(seed) &+ 77)
            func predicate(_ depth: Int) -> String {
                switch depth == 0 ? 0 : random.below(6) {
                case 1, 2: "(\(predicate(depth - 1)) AND \(predicate(depth - 1)))"
                case 3, 4: "(\(predicate(depth - 1)) OR \(predicate(depth - 1)))"
                case 5: "NOT (\(predicate(depth - 1)))"
                default: random.below(6) == 0 ? random.pick(Self.others) : random.pick(Self.ofObjects)
                }
            }
            for _ in 0..<60 {
                let text = predicate(3)
                let matcher = try FormatPredicate(text).unchecked(for: BlockObject.self)
                #expect(Self.objects.indices(matching: matcher) == Self.expected(matcher, Self.objects), "\(text)")
            }
        }
    }

    /// Comparisons that only the dynamic plan can evaluate, or that throw.
    static let others = [
        "ANY pets.toys == 'a'", "ANY children.children.name == 'a'", "parent == 5",
        "parent < nil", "home IN {nil}", "ANY children == nil",
        "SUBQUERY(pets, $p, SUBQUERY($p.toys, $t, $t == 'a').@count > 0).@count > 0", "name == nick", "tags == labels",
        "SUBQUERY(tags, $t, $t == name).@count > 0", "SUBQUERY(tags, $t, $t > 5).@count > 0", "ANY tags > 5",
        "SUBQUERY(tags, $t, $t BEGINSWITH 5).@count == 0", "ANY name == 'a'", "pets.@count > 'a'", "ANY tags == nil",
        "pets.age.@count > 1", "pets.@sum.age > 3", "tags[0] == 'a'", "ANY pets.toys.@count > 1", "lazyName == 'a!'",
        "SUBQUERY(tags, $t, 1 == 1).@count > 1", "SUBQUERY(pets, $p, name == 'a').@count > 0",
        "SUBQUERY(pets, $p, $p.age > 0).age != 1", "SUBQUERY(pets, $p, $p.age > 0).toys.@count != 1",
    ]

    @Test(.cases) func otherTermsUseTheDynamicPlan() {
        forEachCase(Self.others) { text in
            for form in [text, "\(text) AND age > 0", "active == YES OR \(text)", "NOT (\(text) AND active == YES)"] {
                let matcher = try FormatPredicate(form).unchecked(for: BlockObject.self)
                #expect(Self.objects.indices(matching: matcher) == Self.expected(matcher, Self.objects), "\(form)")
            }
        }
    }

    @Test func stepsAreCounted() throws {
        for environment in PredicateEnvironment.ofFewSteps {
            for text in [
                "SUBQUERY(tags, $t, $t != 'a').@count > 0",
                "ANY pets.age > 1 OR SUBQUERY(pets, $p, $p.age > 1).@count == 0",
                "NOT (ALL tags == 'a' AND ANY numbers > 1)", "tags CONTAINS 'a' AND tags.@count > 0",
            ] {
                let matcher = try FormatPredicate(text, in: environment).unchecked(for: BlockObject.self)
                #expect(matcher.blocks != nil)
                #expect(
                    Self.objects.indices(matching: matcher) == Self.expected(matcher, Self.objects),
                    "\(environment.limits.steps): \(text)"
                )
            }
        }
    }

    /// Lists longer than a block, with elements at its borders.
    @Test(.cases) func longListsAgreeWithTheDynamicPlan() {
        forEachCase([0, 1, 255, 256, 257, 511, 512, 513, 2000] as [Int]) { count in
            var random = SplitMix(4)
            let rows = (0..<5).map { _ in BlockObject(&random) }
            rows[1].numbers = Array(0..<count)
            rows[2].tags = (0..<count).map { "tag number \($0) of them" }
            rows[3].tags = rows[2].tags
            rows[4].tags = []
            for text in [
                "ANY numbers == \(count - 1)", "SUBQUERY(numbers, $n, $n >= 0).@count == \(count)",
                "numbers.@count == \(count)", "SUBQUERY(tags, $t, $t ENDSWITH 'them').@count == \(count)",
                "ALL tags BEGINSWITH 'tag'", "tags CONTAINS 'tag number \(count / 2) of them'",
            ] {
                let matcher = try FormatPredicate(text).unchecked(for: BlockObject.self)
                #expect(matcher.blocks != nil)
                #expect(rows.indices(matching: matcher) == Self.expected(matcher, rows), "\(text)")
            }
        }
    }

    /// Values read by loaders are released: objects are freed with their last reference.
    @Test func nothingLeaks() throws {
        let matcher = try FormatPredicate("parent.name != 'b' AND parent.parent.name != 'a'").compiled(
            for: BlockObject.self)
        #expect(matcher.blocks != nil)
        var rows = BlockObject.make(300)
        for row in rows { row.children = [] }
        var random = SplitMix(1)
        let parent = BlockObject(&random)
        for row in rows { row.parent = parent }
        weak let watched = rows[7]
        #expect(rows.count(matching: matcher) == Self.expected(matcher, rows).count)
        rows = []
        #expect(watched == nil)
    }

    /// A getter may rely on the terms before it.
    @Test func gettersRunAfterTheirGuards() throws {
        struct Guarded: Queryable {
            var name: String
            var parts: [String]
            var main: String { parts[0] }
            static let keys: KeyTable<Guarded> = [
                .key("name", \.name), .key("parts", \.parts), .key("main", \.main) { $0.main },
            ]
        }
        let rows = [Guarded(name: "a", parts: []), Guarded(name: "b", parts: ["x", "y"])]
        for text in [
            "name MATCHES '[b-z]' AND main == 'x'", "parts.@count > 0 AND (main == 'y' OR main == 'x')",
            "NOT (name ==[cd] 'a' OR main == 'y')", "name CONTAINS 'b' AND NOT main == 'y' AND name.length > 0",
        ] {
            let matcher = try FormatPredicate(text).compiled(for: Guarded.self)
            #expect(matcher.blocks != nil)
            #expect(rows.indices(matching: matcher) == [1], "\(text)")
        }
    }

    @Test func layoutsAreKnownOnLinux() {
        #if os(Linux) && (arch(x86_64) || arch(arm64))
            #expect(StorageLayout.hasKnownTexts)
            #expect(StorageLayout.hasKnownLists)
            #expect(StorageLayout.optionalTextIsText)
            #expect(StorageLayout.anyHoldsSmallValues)
        #endif
    }
}
