// Finds comparisons that never met a value of a comparable type in the records of a run, such as `id == "1"` where every
// id is a number. The types are those of all records that were read, so the warnings are printed at the end. A check
// stops collecting types at the first record in which its comparisons fit, which is the first record of most runs.

/// The check of one predicate.
struct RecordCheck: Sendable {
    let text: PredicateText
    /// The place of the text, if it is in a file.
    let file: String?
    let line: Int
    /// The key paths that need a value before the types are known.
    private let paths: [[String]]
    /// Whether the text compares with an empty text. A later field of a column may be empty, which is nil in CSV.
    private let findsEmptyFields: Bool

    /// Whether it reports the keys of the records themselves. KeyPresence does so for commands that select records.
    private let reportsKeys: Bool

    init(_ text: PredicateText, file: String? = nil, line: Int = 1, reportsKeys: Bool = false) {
        (self.text, self.file, self.line, self.reportsKeys) = (text, file, line, reportsKeys)
        early = text.early
        var paths: [[String]] = []
        var findsEmptyFields = false
        if case .predicate(let predicate) = text.tree {
            PredicateWalker(expression: { node in
                if case .value(.string("")) = node.kind { findsEmptyFields = true }
                guard case .keyPath(let keys) = node.kind else { return }
                paths.append(Array(keys.prefix { !$0.hasPrefix("@") && $0 != "self" }))
            }).walk(predicate.root)
        }
        (self.paths, self.findsEmptyFields) = (paths, findsEmptyFields)
    }

    /// The diagnostics that can be shown before a record is read.
    let early: [PredicateDiagnostic]

    /// The warnings of the types of records, without the early ones.
    func warnings(_ checker: TypeChecker?) -> [PredicateDiagnostic] {
        text.warnings(byTypesOfObjects: checker, beside: early).filter { found in
            reportsKeys || found.id != .unknownKey || found.details.first != FieldShape.entity
        }
    }

    /// Whether no further record can change the warnings.
    func isSettled(by shape: FieldShape, _ checker: TypeChecker?) -> Bool {
        !(findsEmptyFields && shape.format == .csv) && warnings(checker).isEmpty
            && paths.allSatisfy { shape.field(at: $0)?.count ?? 0 > 0 }
    }
}

/// The types of the records that a run has read.
struct RecordTypes {
    private let environment: PredicateEnvironment
    /// The checks that further records may change.
    private(set) var open: [RecordCheck]
    let shape = FieldShape()

    init(_ checks: [RecordCheck]) {
        open = checks
        environment = checks.first?.text.environment ?? .standard
    }

    /// Adds the types of a batch.
    mutating func add(_ types: FieldShape) {
        guard !open.isEmpty, shape.merge(types) else { return }
        let checker = shape.checker(environment)
        open.removeAll { $0.isSettled(by: shape, checker) }
    }

    mutating func add(_ record: Record) {
        if open.isEmpty { return }
        let types = FieldShape(of: record.source.format)
        types.add(record.value)
        add(types)
    }

    /// The diagnostics of an evaluation that failed, with advice by the types of the records that were read.
    func advising(_ failed: [PredicateDiagnostic], of text: PredicateText) -> [PredicateDiagnostic] {
        let advised = text.advising(failed, by: shape.checker(environment))
        return TypeHint(option: "--types ").adding(to: advised, of: text)
    }

    /// Prints the warnings of all checks. Returns whether there are any.
    func show(in report: Report, _ hint: TypeHint = TypeHint(option: "--types ")) throws -> Bool {
        let checker = shape.checker(environment)
        var hint = hint
        if shape.format == .csv { hint.domain = { [shape] in shape.field(at: $0)?.domain ?? [] } }
        var isAny = false
        for check in open {
            let found = hint.adding(to: check.warnings(checker), of: check.text)
            try report.show(found, source: check.text.source, file: check.file, line: check.line)
            isAny = isAny || !found.isEmpty
        }
        return isAny
    }
}

/// Collects the types of the records of one batch.
struct BatchTypes {
    private let checks: [RecordCheck]
    let shape: FieldShape
    private var isOpen: Bool
    private var count = 0

    /// - Parameter checks: the checks that further records may change; none collects nothing.
    init(_ checks: [RecordCheck], of format: RecordFormat) {
        self.checks = checks
        shape = FieldShape(of: format)
        isOpen = !checks.isEmpty
    }

    mutating func add(_ record: PredicateValue) {
        guard isOpen else { return }
        shape.add(record)
        count += 1
        // Seldom, because a check takes as long as many records.
        guard count & (count - 1) == 0 else { return }
        let checker = shape.checker(checks.first?.text.environment ?? .standard)
        isOpen = !checks.allSatisfy { $0.isSettled(by: shape, checker) }
    }
}
