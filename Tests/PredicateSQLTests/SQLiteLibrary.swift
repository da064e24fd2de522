// The system's SQLite, opened at run time, with as many of its functions as the tests call.

import Foundation
import PredicateModel
import PredicateSQL
import PredicateSyntax

/// The functions of the C library.
struct SQLiteLibrary: @unchecked Sendable {
    typealias Callback = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    typealias Collation =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
        ) -> Int32
    typealias Destructor = @convention(c) (UnsafeMutableRawPointer?) -> Void

    let open:
        @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, Int32, OpaquePointer?) -> Int32
    let close: @convention(c) (OpaquePointer?) -> Int32
    let message: @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
    let prepare:
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, OpaquePointer?
        ) -> Int32
    let step: @convention(c) (OpaquePointer?) -> Int32
    let finalize: @convention(c) (OpaquePointer?) -> Int32
    let bindNull: @convention(c) (OpaquePointer?, Int32) -> Int32
    let bindInteger: @convention(c) (OpaquePointer?, Int32, Int64) -> Int32
    let bindDouble: @convention(c) (OpaquePointer?, Int32, Double) -> Int32
    let bindText: @convention(c) (OpaquePointer?, Int32, UnsafePointer<CChar>, Int32, Destructor?) -> Int32
    let bindBlob: @convention(c) (OpaquePointer?, Int32, UnsafeRawPointer?, Int32, Destructor?) -> Int32
    let columnInteger: @convention(c) (OpaquePointer?, Int32) -> Int64
    let columnCount: @convention(c) (OpaquePointer?) -> Int32
    let columnText: @convention(c) (OpaquePointer?, Int32) -> UnsafePointer<UInt8>?
    let createFunction:
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>, Int32, Int32, UnsafeMutableRawPointer?, Callback?, OpaquePointer?,
            OpaquePointer?, OpaquePointer?
        ) -> Int32
    let createCollation:
        @convention(c) (
            OpaquePointer?, UnsafePointer<CChar>, Int32, UnsafeMutableRawPointer?, Collation?, OpaquePointer?
        ) -> Int32
    let userData: @convention(c) (OpaquePointer?) -> UnsafeMutableRawPointer?
    let valueType: @convention(c) (OpaquePointer?) -> Int32
    let valueText: @convention(c) (OpaquePointer?) -> UnsafePointer<UInt8>?
    let valueBytes: @convention(c) (OpaquePointer?) -> Int32
    let resultInteger: @convention(c) (OpaquePointer?, Int64) -> Void
    let resultText: @convention(c) (OpaquePointer?, UnsafePointer<CChar>, Int32, Destructor?) -> Void
    let resultNull: @convention(c) (OpaquePointer?) -> Void

    /// nil where the system has none.
    static let shared: SQLiteLibrary? = {
        for name in ["libsqlite3.so.0", "libsqlite3.dylib", "libsqlite3.so"] {
            if let handle = dlopen(name, RTLD_NOW) { return SQLiteLibrary(handle) }
        }
        return nil
    }()

    private init?(_ handle: UnsafeMutableRawPointer) {
        func symbol<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function? {
            dlsym(handle, "sqlite3_" + name).map { unsafeBitCast($0, to: type) }
        }
        guard let open = symbol("open_v2", Self.typed(\.open)), let close = symbol("close", Self.typed(\.close)),
            let message = symbol("errmsg", Self.typed(\.message)),
            let prepare = symbol("prepare_v2", Self.typed(\.prepare)), let step = symbol("step", Self.typed(\.step)),
            let finalize = symbol("finalize", Self.typed(\.finalize)),
            let bindNull = symbol("bind_null", Self.typed(\.bindNull)),
            let bindInteger = symbol("bind_int64", Self.typed(\.bindInteger)),
            let bindDouble = symbol("bind_double", Self.typed(\.bindDouble)),
            let bindText = symbol("bind_text", Self.typed(\.bindText)),
            let bindBlob = symbol("bind_blob", Self.typed(\.bindBlob)),
            let columnInteger = symbol("column_int64", Self.typed(\.columnInteger)),
            let columnCount = symbol("column_count", Self.typed(\.columnCount)),
            let columnText = symbol("column_text", Self.typed(\.columnText)),
            let createFunction = symbol("create_function_v2", Self.typed(\.createFunction)),
            let createCollation = symbol("create_collation_v2", Self.typed(\.createCollation)),
            let userData = symbol("user_data", Self.typed(\.userData)),
            let valueType = symbol("value_type", Self.typed(\.valueType)),
            let valueText = symbol("value_text", Self.typed(\.valueText)),
            let valueBytes = symbol("value_bytes", Self.typed(\.valueBytes)),
            let resultInteger = symbol("result_int64", Self.typed(\.resultInteger)),
            let resultText = symbol("result_text", Self.typed(\.resultText)),
            let resultNull = symbol("result_null", Self.typed(\.resultNull))
        else { return nil }
        self.open = open
        self.close = close
        self.message = message
        self.prepare = prepare
        self.step = step
        self.finalize = finalize
        self.bindNull = bindNull
        self.bindInteger = bindInteger
        self.bindDouble = bindDouble
        self.bindText = bindText
        self.bindBlob = bindBlob
        self.columnInteger = columnInteger
        self.columnCount = columnCount
        self.columnText = columnText
        self.createFunction = createFunction
        self.createCollation = createCollation
        self.userData = userData
        self.valueType = valueType
        self.valueText = valueText
        self.valueBytes = valueBytes
        self.resultInteger = resultInteger
        self.resultText = resultText
        self.resultNull = resultNull
    }

    private static func typed<Function>(_ path: KeyPath<SQLiteLibrary, Function>) -> Function.Type { Function.self }
}

/// A database in memory that knows the functions of `SQLFunction` and the collations of `SQLCollation`.
final class SQLiteDatabase {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let library: SQLiteLibrary
    private var handle: OpaquePointer?

    init(_ library: SQLiteLibrary) throws {
        self.library = library
        guard library.open(":memory:", &handle, 6, nil) == 0 else { throw failure() }
        for (index, function) in SQLFunction.allCases.enumerated() {
            let deterministicText: Int32 = 1 | 0x800
            let data = UnsafeMutableRawPointer(bitPattern: index + 1)
            guard
                library.createFunction(
                    handle, function.rawValue, Int32(function.arity), deterministicText, data, Self.call, nil, nil, nil)
                    == 0
            else { throw failure() }
        }
        for (index, collation) in SQLCollation.allCases.enumerated() {
            let data = UnsafeMutableRawPointer(bitPattern: index + 1)
            guard library.createCollation(handle, collation.rawValue, 1, data, Self.collate, nil) == 0 else {
                throw failure()
            }
        }
    }

    deinit { _ = library.close(handle) }

    private func failure() -> Failure {
        Failure(description: library.message(handle).map { String(cString: $0) } ?? "no message")
    }

    /// Runs one statement and answers the first column, as integers.
    @discardableResult
    func run(_ sql: String, _ bindings: [Value] = []) throws -> [Int64] {
        try rows(sql, bindings) { library.columnInteger($0, 0) }
    }

    /// Runs one statement and answers a column, as texts.
    func texts(_ sql: String, _ bindings: [Value]) throws -> [[String]] {
        try rows(sql, bindings) { row in
            (0..<library.columnCount(row)).map { library.columnText(row, $0).map { String(cString: $0) } ?? "" }
        }
    }

    private func rows<Row>(_ sql: String, _ bindings: [Value], _ read: (OpaquePointer?) -> Row) throws -> [Row] {
        var statement: OpaquePointer?
        guard library.prepare(handle, sql, -1, &statement, nil) == 0 else { throw failure() }
        defer { _ = library.finalize(statement) }
        for (index, value) in bindings.enumerated() { try bind(value, statement, Int32(index + 1)) }
        var result: [Row] = []
        while true {
            switch library.step(statement) {
            case 100: result.append(read(statement))
            case 101: return result
            default: throw failure()
            }
        }
    }

    private func bind(_ value: Value, _ statement: OpaquePointer?, _ index: Int32) throws {
        let transient = unsafeBitCast(-1, to: SQLiteLibrary.Destructor.self)
        let code: Int32
        switch value {
        case .null, .nsNull: code = library.bindNull(statement, index)
        case .bool(let flag): code = library.bindInteger(statement, index, flag ? 1 : 0)
        case .integer(let number): code = library.bindInteger(statement, index, number)
        case .double(let number), .date(let number): code = library.bindDouble(statement, index, number)
        case .string(let text), .url(let text):
            code = text.withCString { library.bindText(statement, index, $0, Int32(text.utf8.count), transient) }
        case .uuid(let id):
            code = id.description.withCString { library.bindText(statement, index, $0, 36, transient) }
        case .data(let bytes):
            code = (bytes + [0]).withUnsafeBytes {
                library.bindBlob(statement, index, $0.baseAddress, Int32(bytes.count), transient)
            }
        case .decimal(let number):
            let text = "\(number)"
            code = text.withCString { library.bindText(statement, index, $0, Int32(text.utf8.count), transient) }
        default: throw Failure(description: "\(value) is not bound by the tests")
        }
        if code != 0 { throw failure() }
    }

    private static let collate: SQLiteLibrary.Collation = { data, leftCount, left, rightCount, right in
        func text(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
            String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
        }
        let options = SQLCollation.allCases[Int(bitPattern: data) - 1].options
        return Int32(
            OperatorRules.standard.compare(text(left, leftCount), text(right, rightCount), options).signum())
    }

    /// (text, operand, options): the evaluator's own operators.
    private static let call: SQLiteLibrary.Callback = { context, _, arguments in
        guard let library = SQLiteLibrary.shared, let arguments else { return }
        let index = Int(bitPattern: library.userData(context)) - 1
        func text(_ position: Int) -> String? {
            let value = arguments[position]
            if library.valueType(value) == 5 { return nil }
            guard let bytes = library.valueText(value) else { return nil }
            return String(
                decoding: UnsafeBufferPointer(start: bytes, count: Int(library.valueBytes(value))), as: UTF8.self)
        }
        let function = SQLFunction.allCases[index]
        guard let left = text(0) else { return library.resultNull(context) }
        if function.arity == 1 {
            let transient = unsafeBitCast(-1, to: SQLiteLibrary.Destructor.self)
            var functions = FunctionContext(clock: { 0 })
            let name = function.rawValue.replacingOccurrences(of: "predicate_", with: "") + ":"
            let answer = try? FunctionCatalog.standard.function(named: name)?.call([.string(left)], &functions)
            switch answer {
            case .string(let text): library.resultText(context, text, Int32(text.utf8.count), transient)
            case .integer(let number): library.resultInteger(context, number)
            default: library.resultNull(context)
            }
            return
        }
        guard let right = text(1), let letters = text(2) else { return library.resultNull(context) }
        let options = ComparisonOptions(
            ComparisonOptions.letters.filter { letters.contains($0.letter) }.map(\.option))
        if function == .compare {
            return library.resultInteger(context, Int64(OperatorRules.standard.compare(left, right, options)))
        }
        let operators: [SQLFunction: ComparisonOperator] = [
            .equal: .equal, .beginsWith: .beginsWith, .endsWith: .endsWith, .contains: .contains, .like: .like,
            .matches: .matches,
        ]
        let answer = operators[function].flatMap { try? Comparison($0, options).test(.string(left), .string(right)) }
        answer.map { library.resultInteger(context, $0 ? 1 : 0) } ?? library.resultNull(context)
    }
}
