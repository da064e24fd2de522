// The Swift types that golden cases are bound to: `--- bound Visitor` shows the diagnostics of `compiled(for:
// Visitor.self)`.

import Foundation
import PredicateRecords
import PredicateRules
import Testing

struct Visitor: Queryable {
    enum Mood: String, QueryableValue { case calm, loud }
    enum Rank: Int, QueryableValue {
        case low = 1
        case high
    }

    var id = UUID()
    var name = "Ada"
    var nickname: String?
    var age = 36
    var height = 1.7
    var budget = Decimal(100)
    var born = Date(timeIntervalSinceReferenceDate: 0)
    var leaves: Date?
    var member = true
    var mood = Mood.calm
    var rank: Rank?
    var tags = ["a"]
    var labels: Set = ["x"]
    var marks: [Int?] = [1, nil]
    var scores = ["chess": 2]
    var photo: Data?
    var home = URL(filePath: "/")
    var serial: UInt64 = 1
    var extra = PredicateValue.null
    var host: Host?
    var pets: [Pet] = [Pet()]
    var friends: [Visitor] = []
    var rooms: [String: Room] = [:]
    var beds: [[Room]] = []

    static let keys: KeyTable<Visitor> = [
        .key("id", \.id), .key("name", \.name), .key("nickname", \.nickname), .key("age", \.age),
        .key("height", \.height), .key("budget", \.budget), .key("born", \.born), .key("leaves", \.leaves),
        .key("member", \.member), .key("mood", \.mood), .key("rank", \.rank), .key("tags", \.tags),
        .key("labels", \.labels), .key("marks", \.marks), .key("scores", \.scores), .key("photo", \.photo),
        .key("home", \.home), .key("serial", \.serial), .key("extra", \.extra), .key("host", \.host),
        .key("pets", \.pets), .key("friends", \.friends), .key("rooms", \.rooms), .key("beds", \.beds),
    ]
}

/// A type in a cycle: Host refers to guests, and a guest refers to a host.
class Host: Queryable {
    var name = "Grace"
    var guests: [Visitor] = []
    static let keys: KeyTable<Host> = [.key("name", \.name), .key("guests", \.guests)]
}

struct Pet: Queryable {
    var name = "Rex"
    var weight: Double?
    static let keys: KeyTable<Pet> = [.key("name", \.name), .key("weight", \.weight)]
}

struct Room: Queryable {
    var number = 1
    static let keys: KeyTable<Room> = [.key("number", \.number)]
}

/// A type with duplicate keys, and with keys that no predicate can name.
struct Muddle: Queryable {
    var name = "x"
    static let keys: KeyTable<Muddle> = [
        .key("name", \.name), .key("name", \.name), .key("first.name", \.name), .key("", \.name), .key("@x", \.name),
    ]
}

enum GoldenTypes {
    /// The diagnostics of binding to a type; nil if there is no type with this name.
    static func findings(_ predicate: FormatPredicate, _ variables: PredicateVariables, _ type: String) -> String? {
        switch type {
        case "Visitor": findings(predicate, variables, Visitor())
        case "Host": findings(predicate, variables, Host())
        case "Muddle": findings(predicate, variables, Muddle())
        case "table": findings(predicate, variables, in: table)
        default: nil
        }
    }

    /// Records in tagged JSON for a table.
    private static let guests = [
        """
        {"name": "Ada", "age": 36, "height": 1.7, "member": true, "born": {"$date": 0}, "budget": {"$decimal": "100"},
        "id": {"$uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}, "tags": ["a", "b"], "marks": [1, null],
        "pets": [{"name": "Rex", "weight": 3.5}], "address": {"city": "Paris", "zip": 75001}, "extra": 1}
        """,
        """
        {"name": "Grace", "age": 37, "height": 1.6, "member": false, "born": {"$date": 1}, "budget": {"$decimal": "5"},
        "id": {"$uuid": "F621E1F8-C36C-495A-93FC-0C247A3E6E5F"}, "nickname": "G", "tags": [], "marks": [], "pets": [],
        "address": {"city": "Rome"}, "extra": "x"}
        """,
    ]

    private static let table: PredicateTable = {
        var builder = PredicateTableBuilder()
        for guest in guests {
            guard let record = try? TaggedJSON.decodeValue(JSON.parse(guest)) else {
                Issue.record("\(guest) is no record")
                continue
            }
            builder.append(record)
        }
        return builder.finish()
    }()

    private static func findings(
        _ predicate: FormatPredicate, _ variables: PredicateVariables, in table: PredicateTable
    ) -> String {
        let found: [PredicateDiagnostic]
        do throws(PredicateFailure) {
            found = try predicate.compiled(for: table, variables: variables).warnings
            #expect(!found.contains { $0.severity == .error })
        } catch {
            found = error.diagnostics
            #expect(found.contains { $0.severity == .error })
            #expect(throws: error) { try table.filter(predicate, variables: variables) }
        }
        let all = Findings(predicate.hints() + found, limit: 50).inOrder
        return DiagnosticRenderer().render(all, source: predicate.source)
    }

    private static func findings<Root: Queryable>(
        _ predicate: FormatPredicate, _ variables: PredicateVariables, _ root: Root
    ) -> String {
        let found: [PredicateDiagnostic]
        var source = predicate.source
        do throws(PredicateFailure) {
            found = try predicate.compiled(for: Root.self, variables: variables).warnings
            #expect(!found.contains { $0.severity == .error })
        } catch {
            found = error.diagnostics
            source = error.source
            #expect(found.contains { $0.severity == .error })
            #expect(throws: error) { try [root].filter(predicate, variables: variables) }
            // Here an unbound variable is no error if it is not evaluated.
            if !found.contains(where: { $0.id == .unboundVariable }) {
                #expect(throws: error) { try predicate.evaluate(root, variables: variables) }
            }
        }
        let checker = checker(of: Root.self)
        let all = Findings(predicate.hints(for: checker) + found, limit: 50).inOrder
        if variables.isEmpty, let checker { compare(all, with: predicate, checker) }
        return DiagnosticRenderer().render(all, source: source)
    }

    private static func checker<Root: Queryable>(of type: Root.Type) -> TypeChecker? {
        guard let schema = try? PredicateSchema(of: type), let entity = schema.defaultEntity else { return nil }
        return try? TypeChecker(schema: schema, entity: entity)
    }

    /// Checks that the type checker finds the same with the type's schema.
    private static func compare(
        _ found: [PredicateDiagnostic], with predicate: FormatPredicate, _ checker: TypeChecker
    ) {
        func places(_ diagnostics: [PredicateDiagnostic]) -> [String] {
            diagnostics.filter { ![.unboundVariable, .unboundArgument].contains($0.id) }
                .map { "\($0.severity) \($0.id) \($0.span)" }.sorted()
        }
        let checked = PredicateTree.predicate(predicate.root)
            .findings(source: predicate.source, syntax: predicate.warnings, by: checker)
        #expect(places(found) == places(checked), "\(predicate)")
    }
}
