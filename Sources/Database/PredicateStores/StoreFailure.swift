// The errors of stores.

/// Why a store could not execute a request.
public enum StoreFailure: DiagnosedError, Sendable {
    /// The predicate, the sort keys or an assignment do not fit the schema. Contains all errors found.
    case request(PredicateFailure)
    /// The position of a request, which may come from a client, does not fit its order, or the order has no positions.
    case position(String)
    /// The system does not have the engine's library.
    case noLibrary(String)
    /// The database cannot be opened.
    case cannotOpen(path: String, reason: String)
    /// The engine rejected a statement, or failed while it ran. `sqlState` is nil if the engine has no SQLSTATE codes.
    case engine(code: Int32, message: String, statement: String, sqlState: String? = nil)
    /// The database is locked, damaged or full.
    case unusable(StoreProblem, statement: String)
    /// A change violates a constraint of the database.
    case constraint(StoreConstraint)
    /// The database has ended the transaction by itself, as SQLite does for `RAISE(ROLLBACK)`. None of its changes are
    /// stored, and nothing else can be done in it.
    case transactionEnded(reason: String)
    /// A column holds a value that does not fit the schema.
    case storedValue(table: String, column: String, found: String, expected: String)
    /// A row cannot be decoded as a type of the app.
    case row(type: String, key: String, reason: String)
    /// The schema is inconsistent, or lacks something that is needed, such as a primary key or the column of a
    /// relationship.
    case schema(String)
    /// The database records another schema version than the one it is opened with.
    case otherVersion(StoreVersionMismatch)
    /// Several objects match a request for one object.
    case notUnique(entity: String)
    /// The store was opened read-only.
    case readOnly
    /// The task was cancelled, or the store was interrupted.
    case cancelled
    /// A back end of the app failed. Carries its own error.
    case backEnd(any Error)
    /// A relationship of an object was not read. An object of an asynchronous store reads no related objects by itself.
    case notLoaded(entity: String, key: String)
    /// The engine worked longer than the request's deadline.
    case deadlineExceeded

    public var description: String {
        switch self {
        case .request(let failure): "\(failure)"
        case .position(let sentence): "the position of the request does not fit: \(sentence)"
        case .noLibrary(let sentence): sentence
        case .cannotOpen(let path, let reason): "cannot open '\(path)': \(reason)"
        case .engine(_, let message, let statement, _): statement.isEmpty ? message : "\(message): \(statement)"
        case .unusable(let problem, let statement):
            statement.isEmpty ? problem.description : "\(problem.description): \(statement)"
        case .constraint(let constraint): constraint.message
        case .transactionEnded(let reason): "the database ended the transaction: \(reason)"
        case .storedValue(let table, let column, let found, let expected):
            "\(table).\(column) has \(found), but the schema says \(expected)"
        case .row(let type, let key, let reason): "\(type).\(key) \(reason)"
        case .schema(let sentence): sentence
        case .otherVersion(let mismatch): mismatch.description
        case .notUnique(let entity): "several objects of \(entity) match"
        case .readOnly: "the store was opened read-only"
        case .cancelled: "cancelled"
        case .backEnd(let error): "the back end failed: \(error)"
        case .notLoaded(let entity, let key):
            "not-loaded: '\(key)' of \(entity) was not read: name it in 'prefetch', or call "
                + "'try await store.load([\"\(key)\"], of: objects)' before"
        case .deadlineExceeded: "the request took longer than its deadline"
        }
    }
}

extension StoreFailure {
    /// The description without the text of a statement.
    var reason: String {
        switch self {
        case .engine(_, let message, _, _): message
        case .unusable(let problem, _): problem.description
        case .transactionEnded(let reason): reason
        default: description
        }
    }

    /// Whether the engine reported it, so that the engine may have ended the transaction.
    var isOfEngine: Bool {
        switch self {
        case .engine, .constraint, .unusable, .cancelled: true
        default: false
        }
    }
}

/// Keeps the first error of reading related objects, for callers that cannot throw.
final class FaultLog: Sendable {
    private let first = Locked<(failure: StoreFailure, read: ReadError?)?>(nil)
    /// Whether all objects of a store share the log, so that the next call of the store throws the error. Then an error
    /// that an evaluation throws is not kept.
    private let isOfStore: Bool

    init(isOfStore: Bool = false) { self.isOfStore = isOfStore }

    func note(_ failure: StoreFailure, _ read: ReadError? = nil) {
        first.withLock { if $0 == nil { $0 = (failure, read) } }
    }

    func forget(_ read: ReadError) {
        if isOfStore { first.withLock { if $0?.read === read { $0 = nil } } }
    }

    func check() throws(StoreFailure) {
        let failure = first.withLock { found in
            defer { found = nil }
            return found?.failure
        }
        if let failure { throw failure }
    }
}

extension StoreFailure {
    /// Runs `body`, whose errors are those of a request.
    static func ofRequest<Value>(_ body: () throws(PredicateFailure) -> Value) throws(StoreFailure) -> Value {
        do throws(PredicateFailure) { return try body() } catch { throw .request(error) }
    }

    /// As `ofRequest`; nil if the only error is that SQL cannot express the predicate exactly.
    static func ifExact<Value>(_ body: () throws(PredicateFailure) -> Value) throws(StoreFailure) -> Value? {
        do throws(PredicateFailure) { return try body() } catch {
            if error.diagnostics.allSatisfy({ $0.id == .sqlInexact || $0.severity != .error }) { return nil }
            throw .request(error)
        }
    }

    /// Runs `body`, which throws only store failures without saying so.
    static func only<Value>(_ body: () throws -> Value) throws(StoreFailure) -> Value {
        do { return try body() } catch { throw error as? StoreFailure ?? .schema("\(error)") }
    }
}

extension PredicateFailure {
    /// The failure of the store that ended an evaluation; nil for other failures.
    package var storeFailure: StoreFailure? { cause as? StoreFailure }
}
