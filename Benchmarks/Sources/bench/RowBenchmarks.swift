// Tests one object at a time with `matches`, and measures the cost of binding a predicate.
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// `Citizen` as a class.
final class Member: Queryable, Sendable {
    let age: Int
    let firstName: String
    let lastName: String
    let note: String
    let nick: String?
    let rank: Int?

    init(_ citizen: Citizen) {
        age = citizen.age
        firstName = citizen.firstName
        lastName = citizen.lastName
        note = citizen.note
        nick = citizen.nick
        rank = citizen.rank
    }

    static let keys: KeyTable<Member> = [
        .key("age", \.age) { $0.age }, .key("firstName", \.firstName) { $0.firstName },
        .key("lastName", \.lastName) { $0.lastName }, .key("note", \.note) { $0.note },
        .key("nick", \.nick) { $0.nick }, .key("rank", \.rank) { $0.rank },
    ]
}

/// A member with mutable properties. Swift checks each read for exclusive access.
final class MutableMember: Queryable {
    var age: Int
    var lastName: String

    init(_ citizen: Citizen) {
        age = citizen.age
        lastName = citizen.lastName
    }

    static let keys: KeyTable<MutableMember> = [
        .key("age", \.age) { $0.age }, .key("lastName", \.lastName) { $0.lastName },
    ]
}

enum RowBenchmarks {
    private static let citizens = Citizen.make(1000)
    private static let members = citizens.map(Member.init)
    private nonisolated(unsafe) static let mutable = citizens.map(MutableMember.init)

    static var all: [Benchmark] { instance + objects + binding }

    /// Tests one instance repeatedly: the cost of one comparison without loading and retaining objects.
    private static var instance: [Benchmark] {
        [
            one("int >", "age > 65") { $0.age > 65 },
            one("int >, by a getter and a test", "age > 65") { test(get($0)) },
            one("string ==", "lastName == 'Smith'") { $0.lastName == "Smith" },
            one("string == of a short one", "firstName == 'Smith'") { $0.firstName == "Smith" },
            one("nil", "nick == nil") { $0.nick == nil },
            one("optional int >", "rank > 500") { ($0.rank ?? 0) > 500 },
            one("4 terms", "age >= 0 AND rank != 7 AND nick != 'x' AND lastName != 'y'") {
                $0.age >= 0 && ($0.rank ?? 0) != 7 && $0.nick != "x" && $0.lastName != "y"
            },
        ]
    }

    /// Variables, so that the optimiser cannot inline the functions. No matcher can cost less than this.
    private nonisolated(unsafe) static var get: (Member) -> Int = { $0.age }
    private nonisolated(unsafe) static var test: (Int) -> Bool = { $0 > 65 }

    private static func one(_ name: String, _ text: String, _ test: @escaping (Member) -> Bool) -> Benchmark {
        let (matcher, object) = (matcher(parsed(text), Member.self), members[0])
        return Benchmark(
            "instance, class, \(name)", items: 1000, against: "a closure",
            reference: { (0..<1000).reduce(0) { count, _ in test(object) ? count + 1 : count } },
            ours: { (0..<1000).reduce(0) { count, _ in matcher.matches(object) ? count + 1 : count } })
    }

    private static var objects: [Benchmark] {
        [
            each("class, int >", members, "age > 65") { $0.age > 65 },
            each("class, string ==", members, "lastName == 'Smith'") { $0.lastName == "Smith" },
            each("class, nil", members, "nick == nil") { $0.nick == nil },
            each("class, optional int >", members, "rank > 500") { ($0.rank ?? 0) > 500 },
            each("class, BEGINSWITH[c]", members, "lastName BEGINSWITH[c] 'sm'") {
                $0.lastName.lowercased().hasPrefix("sm")
            },
            each("class, CONTAINS", members, "note CONTAINS 'needle'") { $0.note.contains("needle") },
            each("class, LIKE", members, "lastName LIKE 'S*a'") {
                $0.lastName.hasPrefix("S") && $0.lastName.hasSuffix("a")
            },
            each("class, AND of 2", members, "age > 65 AND lastName == 'Smith'") {
                $0.age > 65 && $0.lastName == "Smith"
            },
            each("class, 4 terms", members, "age > 5 AND rank != 7 AND nick != 'x' AND lastName != 'y'") {
                $0.age > 5 && ($0.rank ?? 0) != 7 && $0.nick != "x" && $0.lastName != "y"
            },
            each("class, AND with a function", members, "age > 95 AND lastName.length > 8") {
                $0.age > 95 && $0.lastName.utf16.count > 8
            },
            each("class of variables, int >", mutable, "age > 65") { $0.age > 65 },
            each("class of variables, string ==", mutable, "lastName == 'Smith'") { $0.lastName == "Smith" },
            each("struct, int >", citizens, "age > 65") { $0.age > 65 },
            each("struct, string ==", citizens, "lastName == 'Smith'") { $0.lastName == "Smith" },
        ]
    }

    /// The predicates of the benchmarks of binding.
    static let bound = [
        (name: "two terms", text: "age > 30 AND lastName BEGINSWITH[c] 'sm'"), (name: "one term", text: "age > 30"),
    ]

    private static var binding: [Benchmark] {
        bound.map { name, text in
            let predicate = parsed(text)
            return Benchmark(
                "bind, \(name)", goal: 3000, against: "parse", reference: { parsed(text).root.span.end }
            ) { matcher(predicate, Citizen.self).predicate.source.utf8.count }
        }
    }

    private static func parsed(_ text: String) -> FormatPredicate {
        do throws(PredicateFailure) {
            return try FormatPredicate(text)
        } catch {
            print("\(text): \(error)")
            exit(1)
        }
    }

    private static func matcher<Root: Queryable>(_ predicate: FormatPredicate, _ type: Root.Type) -> PredicateMatcher<
        Root
    > {
        do throws(PredicateFailure) {
            return try predicate.compiled(for: Root.self)
        } catch {
            print("\(predicate): \(error)")
            exit(1)
        }
    }

    /// A loop over objects at a thousand places in memory, which tests each object separately.
    private static func each<Root: Queryable>(
        _ name: String, _ objects: [Root], _ text: String, _ test: @escaping (Root) -> Bool
    ) -> Benchmark {
        let matcher = matcher(parsed(text), Root.self)
        let ours = {
            var count = 0
            for index in objects.indices where matcher.matches(objects[index]) { count += 1 }
            return count
        }
        let reference = {
            var count = 0
            for index in objects.indices where test(objects[index]) { count += 1 }
            return count
        }
        if ours() != reference() {
            print("\(text): \(ours()) instead of \(reference())")
            exit(1)
        }
        return Benchmark(
            "one, \(name)", items: objects.count, against: "a closure", reference: reference, ours: ours)
    }
}
