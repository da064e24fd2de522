// The public interface as an app uses it: one import, published types of every kind.
import Foundation
import PredicateTestSupport
import Predicates
import Testing

struct Company {
    var name: String
    var staff: [Person] = []
}

struct Person {
    var name: String
    var age: Int
    var employer: Company?
    var tags: [String] = []
    var status = Status.active
    var rank: Rank?
    var id = UUID()
    var born: Date?
    var scores: [String: Double] = [:]
    var groups: Set<String> = []
    var initials: String { String(name.prefix(1)) }
    enum Status: String, QueryableValue { case active, retired }
    enum Rank: Int, QueryableValue {
        case junior = 1
        case senior
    }
}

extension Company: Queryable {
    static let keys: KeyTable<Company> = [.key("name", \.name), .key("staff", \.staff)]
}

extension Person: Queryable {
    static let keys: KeyTable<Person> = [
        .key("name", \.name), .key("age", \.age), .key("employer", \.employer), .key("tags", \.tags),
        .key("status", \.status), .key("rank", \.rank), .key("id", \.id), .key("born", \.born),
        .key("scores", \.scores), .key("groups", \.groups), .key("initials", \.initials),
        .key("street", \.employer?.name),
    ]
}

class Animal: Queryable {
    var name: String
    init(_ name: String) { self.name = name }
    static let keys: KeyTable<Animal> = [.key("name", \.name)]
}

final class Dog: Animal {
    var tricks = 3
}

final class Node: Queryable {
    let value: Int
    var children: [Node] = []
    var parent: Node?
    init(_ value: Int) { self.value = value }
    static let keys: KeyTable<Node> = [.key("value", \.value), .key("children", \.children), .key("parent", \.parent)]
}

private let ada = Person(
    name: "Ada", age: 36, employer: Company(name: "Engines", staff: [Person(name: "Bob", age: 25)]), tags: ["x", "y"],
    rank: .senior,
    born: Date(timeIntervalSinceReferenceDate: 0), scores: ["chess": 9.5], groups: ["a", "b"])
private let bob = Person(name: "Bob", age: 25, status: .retired)
private let people = [ada, bob]

struct PublishedTypes {
    @Test(.cases) func matchersSelectElements() {
        let cases: [(String, [Int])] = [
            ("age > 30", [0]), ("name BEGINSWITH 'B'", [1]), ("employer == nil", [1]),
            ("employer.name == 'Engines'", [0]), ("ANY tags == 'y'", [0]), ("status == 'retired'", [1]),
            ("rank == 2", [0]), ("rank == nil", [1]), ("born < now()", [0]), ("scores.chess > 9", [0]),
            ("scores.none == nil", [0, 1]), ("'b' IN groups", [0]), ("initials == 'A'", [0]),
            ("street == 'Engines'", [0]), ("ANY employer.staff.age == 25", [0]),
            ("SUBQUERY(employer.staff, $p, $p.name == 'Bob').@count == 1", [0]), ("employer.staff.@max.age == 25", [0]),
            ("tags[SIZE] == 0", [1]), ("name.length == 3", [0, 1]), ("tags.@count == 2", [0]),
            ("(employer.staff)[FIRST].name == 'Bob'", [0]), ("age.stringValue == '25'", [1]),
            ("TERNARY(age > 30, name, status) == 'Ada'", [0]), ("NOT (age > 30 AND name == 'Ada')", [1]),
            ("SELF.age == 25", [1]), ("#self.age == 25", [1]),
        ]
        forEachCase(cases) { text, expected in
            let predicate = try FormatPredicate(text)
            let matcher = try predicate.compiled(for: Person.self)
            #expect(people.indices(matching: matcher) == expected, "\(text)")
            #expect(people.filter(matcher).map(\.name) == expected.map { people[$0].name })
            #expect(people.count(matching: matcher) == expected.count)
            #expect(people.contains(matching: matcher) == !expected.isEmpty)
            #expect(people.first(matching: matcher)?.name == expected.first.map { people[$0].name })
            #expect(try people.filter(predicate).map(\.name) == expected.map { people[$0].name })
            for (index, person) in people.enumerated() {
                #expect(matcher.matches(person) == expected.contains(index))
                #expect(try matcher.test(person) == expected.contains(index))
                #expect(try predicate.evaluate(person) == expected.contains(index))
            }
        }
    }

    /// All unknown keys are reported together, each at its position with a suggestion.
    @Test func unknownKeysAreReportedTogether() throws {
        let text = "nmae == 'x' AND employer.staff.agee > 3 AND SUBQUERY(tags, $t, $t.foo == 1).@count == 0 AND $v == 1"
        let failure = #expect(throws: PredicateFailure.self) { try FormatPredicate(text).compiled(for: Person.self) }
        let found = try #require(failure?.diagnostics)
        #expect(found.map(\.id) == [.unknownKey, .unknownKey, .unknownKey, .unboundVariable])
        #expect(found.map(\.suggestion) == ["name", "age", nil, nil])
        #expect(found[0].message == "Person has no key 'nmae'")
        #expect(found[2].message == "a text has no key 'foo'")
        let places = found.map { String(decoding: Array(text.utf8)[$0.span.range], as: UTF8.self) }
        #expect(places == ["nmae", "agee", "foo", "$v"])
    }

    @Test(.cases) func everyPlaceIsChecked() {
        let cases: [String] = [
            "employer.x.y == 1", "scores.x.foo == 1", "tags.@sum.foo == 1", "status.nope == 1", "(tags)[0].bar == 1",
            "(employer.staff)[0].bar == 1", "TERNARY(nope == 1, 2, 3) == 1", "{1, nope} == {1}", "sum(nope) == 1",
            "-nope == 1", "ANY employer.staff.employer.staff.nope == 1",
        ]
        forEachCase(cases) { (text) throws in
            let failure = #expect(throws: PredicateFailure.self) {
                try FormatPredicate(text).compiled(for: Person.self)
            }
            #expect(failure?.diagnostics.map(\.id) == [.unknownKey], "\(text)")
        }
    }

    @Test func classesAndSubclasses() throws {
        let matcher = try FormatPredicate("name == 'Rex'").compiled(for: Animal.self)
        #expect([Animal("Tom"), Dog("Rex")].indices(matching: matcher) == [1])
        #expect(try [Dog("Rex"), Dog("Fido")].filter(FormatPredicate("name LIKE 'Rex'")).count == 1)
        #expect(throws: PredicateFailure.self) { try FormatPredicate("tricks == 3").compiled(for: Dog.self) }
    }

    /// Types that refer to themselves: key tables are read lazily, objects compare by identity.
    @Test func typesMayReferToThemselves() throws {
        let root = Node(1)
        let child = Node(2)
        root.children = [child]
        child.parent = root
        #expect(
            try FormatPredicate("parent.children.@count == 1 AND ANY parent.children == SELF AND parent.parent == nil")
                .evaluate(child))
        #expect(try !FormatPredicate("parent == SELF").evaluate(child))
        #expect(try FormatPredicate("ANY children.value == 2").compiled(for: Node.self).matches(root))
        let failure = #expect(throws: PredicateFailure.self) { try FormatPredicate("parent.valu == 2").evaluate(child) }
        #expect(failure?.diagnostics.first?.suggestion == "value")
    }

    @Test func variablesAndArguments() throws {
        let oldest = try FormatPredicate("age > $least").compiled(for: Person.self, variables: ["least": 30])
        #expect(people.count(matching: oldest) == 1)
        #expect(try people.filter(FormatPredicate("id == %@", bob.id)).map(\.name) == ["Bob"])
        #expect(try people.filter(FormatPredicate("born == %@", Date(timeIntervalSinceReferenceDate: 0))).count == 1)
        #expect(try people.filter(FormatPredicate("status IN $all"), variables: ["all": ["active", "x"]]).count == 1)
    }

    @Test func matchersAreSendable() async throws {
        let matcher = try FormatPredicate("age > 30").compiled(for: Person.self)
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { people.count(matching: matcher) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == [1, 1, 1, 1])
    }
}

struct DynamicValues {
    @Test func dictionariesAreEvaluated() throws {
        let predicate = try FormatPredicate("age >= %@ AND name BEGINSWITH[c] %@", 21, "é")
        #expect(try predicate.evaluate(["age": 30, "name": "Élodie"]))
        #expect(try !predicate.evaluate(["age": 20, "name": "Élodie"]))
    }

    @Test func everyOverloadEvaluates() throws {
        #expect(try FormatPredicate("SELF > 3").evaluate(5))
        #expect(try FormatPredicate("SELF == 'x'").evaluate("x"))
        #expect(try FormatPredicate("ANY SELF == 2").evaluate([1, 2]))
        #expect(try FormatPredicate("a == 1").evaluate(["a": 1]))
        #expect(try FormatPredicate("a == 1").evaluate(["a": 1] as [String: Any]))
        #expect(try FormatPredicate("SELF == nil").evaluate(nil as Int?))
        #expect(try FormatPredicate("SELF == nil").evaluate(.null))
        #expect(try FormatPredicate("SELF < $d").evaluate(Date.distantPast, variables: ["d": Date.now]))
        #expect(try FormatExpression("a * 2").evaluate(["a": 21]) == .integer(42))
        #expect(try FormatExpression("name").evaluate(ada) == .string("Ada"))
        #expect(try FormatExpression("SELF + $n").evaluate(1, variables: ["n": 2]) == .integer(3))
    }

    @Test func anyValueIsConverted() throws {
        let uuid = UUID()
        let object: [String: Any] = [
            "int": Int8(1), "uint": UInt64.max, "float": Float(1.5), "number": NSNumber(value: 7),
            "yes": NSNumber(value: true), "real": NSNumber(value: 2.5), "decimal": Decimal(string: "1.25") ?? 0,
            "nsdecimal": NSDecimalNumber(string: "0.1"), "null": NSNull(), "three": Optional(3) as Any,
            "absent": Optional<Int>.none as Any, "nested": Optional(Optional("x")) as Any,
            "date": Date(timeIntervalSinceReferenceDate: 5), "uuid": uuid,
            "url": URL(string: "https://example.org/a") as Any, "data": Data([1, 2]), "list": [1, "a", [2.5]] as [Any],
            "set": Set<AnyHashable>([1, "a"]), "dict": ["k": ["l": 1]] as [String: Any], "person": ada,
            "status": Person.Status.retired, "sub": "abc".dropFirst(), "value": PredicateValue.integer(9),
            "nsstring": NSString("s"), "nsarray": NSArray(array: [1, 2]), "nsdict": NSDictionary(dictionary: ["q": 1]),
            "nsdate": NSDate(timeIntervalSinceReferenceDate: 5), "nsuuid": NSUUID(uuidString: uuid.uuidString) as Any,
        ]
        for text in [
            "int == 1", "uint == 18446744073709551615.0", "float == 1.5", "number == 7", "yes == YES", "real == 2.5",
            "decimal * 4 == 5", "nsdecimal * 10 == 1", "null == nil", "three == 3", "absent == nil", "nested == 'x'",
            "date == CAST(5, 'NSDate')", "uuid == $uuid", "url.description == 'https://example.org/a'",
            "(list)[1] == 'a'", "'a' IN set", "dict.k.l == 1", "person.age == 36", "status == 'retired'", "sub == 'bc'",
            "value == 9", "nsstring == 's'", "nsarray[SIZE] == 2", "nsdict.q == 1", "nsdate == date", "nsuuid == uuid",
            "data == $data",
        ] {
            #expect(
                try FormatPredicate(text).evaluate(object, variables: ["uuid": uuid, "data": Data([1, 2])]), "\(text)")
        }
    }

    struct Unknown {}

    @Test func unknownTypesAreNamed() throws {
        let failure = #expect(throws: PredicateFailure.self) {
            try FormatPredicate("a == 1").evaluate(["a": ["b": [1, Unknown()] as [Any]] as [String: Any]])
        }
        let diagnostic = try #require(failure?.diagnostics.first)
        #expect(diagnostic.id == .argumentType)
        #expect(diagnostic.message == "'a.b' cannot take a value of the type Unknown")
        var deep: Any = 1
        for _ in 0..<300 { deep = [deep] }
        #expect(
            #expect(throws: PredicateFailure.self) { try PredicateValue(converting: deep) }?.diagnostics.first?.id
                == .limitExceeded)
    }

    @Test func foundationRoundTrips() {
        let uuid = UUID()
        #expect(UUID(UniversalID(uuid)) == uuid)
        #expect(UniversalID(uuid).description == uuid.uuidString)
        #expect(Decimal.nan.predicateValue == .null)
        // Foundation's quotients can have 39 digits, and its exponents reach 127.
        let third = "1." + String(repeating: "3", count: 37)
        #expect((Decimal(4) / 3).predicateValue == DecimalNumber(third).map(PredicateValue.decimal))
        let twoThirds = "-2." + String(repeating: "6", count: 36) + "7"
        #expect((Decimal(-8) / 3).predicateValue == DecimalNumber(twoThirds).map(PredicateValue.decimal))
        let large = Decimal(sign: .plus, exponent: 60, significand: 1)
        #expect(large.predicateValue == .decimal(DecimalNumber(coefficient: 1, exponent: 60)))
        #expect(Decimal(string: "-12.500")?.predicateValue == DecimalNumber("-12.5").map(PredicateValue.decimal))
    }
}
