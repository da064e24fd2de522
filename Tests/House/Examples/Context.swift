// The names that examples of doc comments use without declaring them. `.ci/examples` compiles the examples with this
// file. Nothing here is run.

import Foundation
import PredicateEditor
import PredicateFoundation
import PredicateRules
import PredicateSQL
import PredicateStores

func undefined<Value>(_ type: Value.Type = Value.self) -> Value { fatalError() }
/// The result of an example, so that one may start with `return`.
typealias Result = Any

struct Company: Queryable, Codable {
    var title: String
    static let keys: KeyTable<Company> = [.key("title", \.title)]
}

struct Person: Queryable, Codable {
    var name: String
    var age: Int
    var employer: Company?
    static let keys: KeyTable<Person> = [.key("name", \.name), .key("age", \.age), .key("employer", \.employer)]
}

struct Book: Queryable {
    var price: Double
    var tags: [String]
    static let keys: KeyTable<Book> = [.key("price", \.price), .key("tags", \.tags)]
}

extension Book: Storable {
    init(_ object: StoredObject) throws { (price, tags) = (try object.read("price"), try object.read("tags")) }
}

protocol Shape: Sendable {}
struct Drawing { var shapes: [any Shape] }
@MainActor final class Model: Queryable {  // Its keys are closures.
    var title = ""
    nonisolated static let keys: KeyTable<Model> = []
}
enum Status: String { case active, closed }

typealias Article = Book
typealias Order = Book
typealias Message = Book

nonisolated(unsafe) var schema: PredicateSchema = undefined()
let (version1, version2): (PredicateSchema, PredicateSchema) = undefined()
let (predicate, old): (FormatPredicate, FormatPredicate) = undefined()
let adults: FormatPredicate = undefined()
let matcher: PredicateMatcher<Person> = undefined()
let (person, company): (Person, Company) = undefined()
let people: [Person] = undefined()
let models: [Model] = undefined()
let (orders, article): ([Order], Article) = undefined()
let book: Book = undefined()
nonisolated(unsafe) let rows: [[String: Any]] = undefined()
let row: ValueDictionary = undefined()
let table: PredicateTable = undefined()
let tree: PredicateNode = undefined()
let (failure, diagnostic): (PredicateFailure, PredicateDiagnostic) = undefined()
nonisolated(unsafe) var functions = FunctionCatalog.standard
let environment: PredicateEnvironment = undefined()
let (name, address, text): (String, String, String) = undefined()
let data: Data = undefined()
let rate = 1.19
let notice: [Character: String] = [:]

let (rules, routes): (PredicateSet<Int, Order>, PredicateSet<Int, Order>) = undefined()
let (folders, searches): (PredicateSet<Int, Message>, PredicateSet<Int, Article>) = undefined()
let (before, message): (Message, Message) = undefined()
func show(_ message: Message, in folder: Int) {}

nonisolated(unsafe) var store: SQLiteStore = undefined()
nonisolated(unsafe) var request = StoreRequest("person")
nonisolated(unsafe) var entity: PredicateSchema.Entity = undefined()
let statement: SQLStatement = undefined()
/// A back end of the app.
struct Service: RecordSource {
    var schema: PredicateSchema { undefined() }
    var capabilities: StoreCapabilities { undefined() }
    func records(_ request: StoreRequest) throws -> [ValueDictionary] { undefined() }
}
let service: RecordStore<Service> = undefined()
let mapping = MigrationMapping()
let migration: StoreMigration = undefined()
let list: ObservedResults = undefined()
let object: StoredObject = undefined()
let report: (date: Date, title: String) = undefined()

/// A view of a list.
final class View: Sendable { func apply(_ change: ObservedResults.Change) {} }
let view = View()
/// A view of SwiftUI.
struct Text { init(_ text: AttributedString) {} }
/// A source of values that arrive one by one.
struct Sensor { var readings: AsyncStream<Person> }
let sensor: Sensor = undefined()

/// GRDB's configuration.
struct Configuration { func prepareDatabase(_ body: @escaping (Database) throws -> Void) {} }
struct Database { var sqliteConnection: OpaquePointer? }
let configuration = Configuration()

/// A connection of the app to a server.
final class PostgreSQLConnection: SQLConnection {
    init(_ address: String) {}
    func run(
        _ statement: String, _ bindings: [PredicateValue], types: [SQLType]
    ) throws(StoreFailure) -> SQLRowArray { fatalError() }
    var cancel: @Sendable () -> Void { {} }
}
let fields: EditorFields = undefined()
let field: EditorField = undefined()
nonisolated(unsafe) var filter: EditorGroup = undefined()
