// Registers our text rules as SQLite functions and collations. They call the evaluator's operators, so results are
// equal.

/// The functions and collations that statements of `SQLDialect.sqlite` use. `SQLiteStore` registers them itself.
public enum SQLiteFunctions {
    /// Registers the functions and collations with a connection of the app, such as GRDB's.
    ///
    ///     configuration.prepareDatabase { db in
    ///         if let connection = db.sqliteConnection { try SQLiteFunctions.register(on: connection) }
    ///     }
    ///
    /// - Parameter connection: a connection (`sqlite3 *`) of the system's SQLite library. A client with its own copy of
    ///   the library, such as SQLCipher, cannot use them: compile its statements for `SQLDialect.sqlitePlain`.
    /// - Throws: `StoreFailure.noLibrary`; `StoreFailure.engine` if SQLite refuses a function.
    public static func register(on connection: OpaquePointer) throws(StoreFailure) {
        guard let library = SQLiteLibrary.shared else { throw .noLibrary(SQLiteLibrary.missing) }
        let code = register(library, connection)
        guard code != SQLiteCode.ok else { return }
        let message = library.errorMessage(connection).map { String(cString: $0) } ?? "code \(code)"
        throw .engine(code: code, message: message, statement: "")
    }

    /// Registers the functions of `SQLFunction` and the collations of `SQLCollation` with a connection.
    /// - Returns: the code of the first failure, else `SQLiteCode.ok`.
    static func register(_ library: SQLiteLibrary, _ handle: OpaquePointer?) -> Int32 {
        for (index, function) in functions.enumerated() {
            // Pass the index of the function plus 1 in place of a pointer, which must not be null.
            let data = UnsafeMutableRawPointer(bitPattern: index + 1)
            let code = library.createFunction(
                handle, function.rawValue, Int32(function.arity), SQLiteCode.deterministicUTF8, data, call, nil, nil,
                nil)
            if code != SQLiteCode.ok { return code }
        }
        for (index, collation) in SQLCollation.allCases.enumerated() {
            let data = UnsafeMutableRawPointer(bitPattern: index + 1)
            let code = library.createCollation(handle, collation.rawValue, SQLiteCode.utf8, data, compare, nil)
            if code != SQLiteCode.ok { return code }
        }
        return SQLiteCode.ok
    }

    /// A constant rather than computed, because it is read for each row.
    private static let functions = SQLFunction.allCases

    /// The C callback of all functions. `SQLFunction` documents their results.
    private static let call: SQLiteLibrary.Function = { context, count, arguments in
        guard let library = SQLiteLibrary.shared else { return }
        let index = Int(bitPattern: library.userData(context)) - 1
        guard let arguments, functions.indices.contains(index) else { return library.resultNull(context) }
        let function = functions[index]
        if [.divide, .squareRoot, .double].contains(function) {
            return compute(function, library, context, UnsafeBufferPointer(start: arguments, count: Int(count)))
        }
        if function == .doubleBits {
            let list = bytes(library, arguments[0]).flatMap(StoredDoubles.bits)
            return list.map { answer(library, context, $0) } ?? library.resultNull(context)
        }
        guard let left = text(library, arguments[0]) else { return library.resultNull(context) }
        if count == 1 { return answer(function, library, context, left) }
        if let known = library.auxiliaryData(context, 1) {
            let prepared = Unmanaged<PreparedFunction>.fromOpaque(known).takeUnretainedValue()
            return prepared.answer(left).map { library.resultInteger(context, $0) } ?? library.resultNull(context)
        }
        guard let right = text(library, arguments[1]), let letters = text(library, arguments[2]) else {
            return library.resultNull(context)
        }
        let prepared = PreparedFunction(function, right, ComparisonOptions(letters: letters))
        prepared.answer(left).map { library.resultInteger(context, $0) } ?? library.resultNull(context)
        // SQLite keeps this value as long as the operand is constant. If the operand is a column, SQLite releases it
        // immediately.
        library.setAuxiliaryData(context, 1, Unmanaged.passRetained(prepared).toOpaque()) { data in
            if let data { Unmanaged<PreparedFunction>.fromOpaque(data).release() }
        }
    }

    /// Computes a numeric function. SQLite converts a NaN result to NULL.
    private static func compute(
        _ function: SQLFunction, _ library: SQLiteLibrary, _ context: OpaquePointer?,
        _ arguments: UnsafeBufferPointer<OpaquePointer?>
    ) {
        let isNull = arguments.contains { library.valueType($0) == SQLiteCode.null }
        guard !isNull, let first = arguments.first, let last = arguments.last else {
            return library.resultNull(context)
        }
        let (one, other) = (library.valueDouble(first), library.valueDouble(last))
        let result =
            switch function {
            case .divide: one / other
            case .squareRoot: one.squareRoot()
            default: Double(bitPattern: UInt64(bitPattern: library.valueInteger(first)))
            }
        library.resultDouble(context, result)
    }

    private static func answer(
        _ function: SQLFunction, _ library: SQLiteLibrary, _ context: OpaquePointer?, _ text: String
    ) {
        switch function {
        case .uppercase: answer(library, context, CaseMapping.upper(text))
        case .lowercase: answer(library, context, CaseMapping.lower(text))
        default: library.resultInteger(context, Int64(text.utf16.count))
        }
    }

    private static func answer(_ library: SQLiteLibrary, _ context: OpaquePointer?, _ text: String) {
        var text = text
        text.withUTF8 { library.resultText(context, $0.baseAddress, Int32($0.count), SQLiteCode.copied) }
    }

    private static func text(_ library: SQLiteLibrary, _ value: OpaquePointer?) -> String? {
        bytes(library, value).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a text; nil for NULL.
    private static func bytes(_ library: SQLiteLibrary, _ value: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
        if library.valueType(value) == SQLiteCode.null { return nil }
        return library.valueText(value).map {
            UnsafeBufferPointer(start: $0, count: Int(library.valueBytes(value)))
        }
    }

    private static let compare: SQLiteLibrary.Collation = { data, leftCount, left, rightCount, right in
        let index = Int(bitPattern: data) - 1
        let options: ComparisonOptions =
            SQLCollation.allCases.indices.contains(index) ? SQLCollation.allCases[index].options : []
        func text(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
            String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
        }
        return Int32(OperatorRules.standard.compare(text(left, leftCount), text(right, rightCount), options).signum())
    }
}

/// A function with a prepared second argument.
private final class PreparedFunction {
    private enum Test {
        case needle(Needle)
        case pattern(TextMatcher)
        case order(String)
        /// An invalid pattern, which matches nothing.
        case never
    }

    /// Rules with ICU, for patterns that our automaton cannot run.
    private static let rules = PredicateEnvironment.standard.rules

    private let function: SQLFunction
    private let options: ComparisonOptions
    private let test: Test

    init(_ function: SQLFunction, _ operand: String, _ options: ComparisonOptions) {
        self.function = function
        self.options = options
        switch function {
        case .equal, .beginsWith, .endsWith, .contains: test = .needle(Needle(operand, options: options))
        case .compare: test = .order(operand)
        case .like, .matches:
            let rule = function == .like ? ComparisonOperator.like : .matches
            test = (try? TextTest(rule, operand, options, rules: Self.rules)).map { .pattern($0.matcher()) } ?? .never
        case .uppercase, .lowercase, .length, .divide, .squareRoot, .doubleBits, .double: test = .never
        }
    }

    /// The result; nil means NULL.
    func answer(_ text: String) -> Int64? {
        switch test {
        case .order(let operand): Int64(OperatorRules.standard.compare(text, operand, options).signum())
        case .pattern(let matcher): (try? matcher.test(text)).map { $0 ? 1 : 0 }
        case .never: nil
        case .needle(let needle):
            switch function {
            case .beginsWith: needle.isPrefix(of: text) ? 1 : 0
            case .endsWith: needle.isSuffix(of: text) ? 1 : 0
            case .contains: needle.isContained(in: text) ? 1 : 0
            default: needle.equals(text) ? 1 : 0
            }
        }
    }
}

extension ComparisonOptions {
    /// Options from their letters, such as `cd`.
    init(letters: String) {
        self.init(Self.letters.filter { letters.contains($0.letter) }.map(\.option))
    }
}
