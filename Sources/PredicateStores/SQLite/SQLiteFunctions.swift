// Our rules of texts as SQLite's functions and collations: the evaluator's own operators, so that both agree.
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateSyntax

enum SQLiteFunctions {
    /// Makes the functions of `SQLFunction` and the collations of `SQLCollation` known to a connection.
    /// - Returns: the code of the first that failed, else `SQLiteCode.ok`.
    static func register(_ library: SQLiteLibrary, _ handle: OpaquePointer?) -> Int32 {
        for (index, function) in SQLFunction.allCases.enumerated() {
            // The number of the function, from 1: nothing that would have to be released.
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

    /// (text, operand, options) → 1, 0 or NULL; `predicate_compare` → -1, 0, 1 or NULL. Of one argument: a text, or its length;
    /// of two: `predicate_divide`.
    private static let call: SQLiteLibrary.Function = { context, count, arguments in
        guard let library = SQLiteLibrary.shared else { return }
        if count == 2, let arguments { return divide(library, context, arguments[0], arguments[1]) }
        guard let arguments, let left = text(library, arguments[0]) else { return library.resultNull(context) }
        if count == 1 { return answer(library, context, left) }
        if let known = library.auxiliaryData(context, 1) {
            let prepared = Unmanaged<PreparedFunction>.fromOpaque(known).takeUnretainedValue()
            return prepared.answer(left).map { library.resultInteger(context, $0) } ?? library.resultNull(context)
        }
        let index = Int(bitPattern: library.userData(context)) - 1
        guard SQLFunction.allCases.indices.contains(index), let right = text(library, arguments[1]),
            let letters = text(library, arguments[2])
        else { return library.resultNull(context) }
        let prepared = PreparedFunction(SQLFunction.allCases[index], right, ComparisonOptions(letters: letters))
        prepared.answer(left).map { library.resultInteger(context, $0) } ?? library.resultNull(context)
        // SQLite keeps it while the operand is the same constant, and releases it at once where it is a column.
        library.setAuxiliaryData(context, 1, Unmanaged.passRetained(prepared).toOpaque()) { data in
            if let data { Unmanaged<PreparedFunction>.fromOpaque(data).release() }
        }
    }

    /// NaN becomes NULL there.
    private static func divide(
        _ library: SQLiteLibrary, _ context: OpaquePointer?, _ left: OpaquePointer?, _ right: OpaquePointer?
    ) {
        let isNull = [left, right].contains { library.valueType($0) == SQLiteCode.null }
        if isNull { return library.resultNull(context) }
        library.resultDouble(context, library.valueDouble(left) / library.valueDouble(right))
    }

    private static func answer(_ library: SQLiteLibrary, _ context: OpaquePointer?, _ text: String) {
        let index = Int(bitPattern: library.userData(context)) - 1
        guard SQLFunction.allCases.indices.contains(index) else { return library.resultNull(context) }
        var result = text
        switch SQLFunction.allCases[index] {
        case .uppercase: result = CaseMapping.upper(text)
        case .lowercase: result = CaseMapping.lower(text)
        default: return library.resultInteger(context, Int64(text.utf16.count))
        }
        result.withUTF8 { library.resultText(context, $0.baseAddress, Int32($0.count), SQLiteCode.copied) }
    }

    private static func text(_ library: SQLiteLibrary, _ value: OpaquePointer?) -> String? {
        if library.valueType(value) == SQLiteCode.null { return nil }
        guard let bytes = library.valueText(value) else { return nil }
        let count = Int(library.valueBytes(value))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    private static let compare: SQLiteLibrary.Collation = { data, leftCount, left, rightCount, right in
        let index = Int(bitPattern: data) - 1
        let options: ComparisonOptions =
            SQLCollation.allCases.indices.contains(index) ? SQLCollation.allCases[index].options : []
        func text(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
            String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
        }
        return Int32(
            OperatorRules.standard.compare(text(left, leftCount), text(right, rightCount), options).signum())
    }
}

/// A function whose second argument is known.
private final class PreparedFunction {
    private enum Test {
        case needle(Needle)
        case pattern(TextMatcher)
        case order(String)
        /// A pattern that cannot be matched is matched by nothing.
        case never
    }

    /// With ICU, for the patterns that our automaton does not run.
    private static let rules = EvaluationOptions().rules

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
            test =
                (try? TextTest(rule, operand, options, rules: Self.rules)).map { .pattern($0.matcher()) } ?? .never
        case .uppercase, .lowercase, .length, .divide: test = .never
        }
    }

    /// nil is NULL.
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
    /// `cd`
    init(letters: String) {
        self.init(Self.letters.filter { letters.contains($0.letter) }.map(\.option))
    }
}
