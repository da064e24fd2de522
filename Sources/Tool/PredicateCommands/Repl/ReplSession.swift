// The state of a REPL session, and how each input is run. DotCommand.swift lists the commands;
// ReplSession+Queries.swift runs predicates.

import Foundation

/// An interactive session over a data source.
final class ReplSession {
    /// The maximum depth of files that read other files with `.read`.
    private static let readDepth = 8
    /// The default number of records shown at a terminal.
    private static let usualLimit = 100

    let output: CommandOutput
    let input: CommandInput
    /// nil if the input is not a terminal: no colours, no paging, no prompt.
    let terminal: (any Terminal)?
    /// The prompt that reads the inputs at the terminal.
    weak var prompt: Prompt?
    let isColored: Bool
    let environment: PredicateEnvironment
    var readerOptions: ReaderOptions
    /// The files of the source, named as the user named them; empty for the sample data.
    private(set) var names: [String]
    /// The name of the one entity of all files; nil if each file is an entity.
    private(set) var joined: String?
    private(set) var source: any DataSource
    private(set) var entity = ""
    private(set) var checker: TypeChecker?

    var mode = OutputMode.table
    /// The maximum number of records to show; nil shows all.
    var limit: Int?
    var showsTime = false
    /// The order of the records, and the columns that are shown; nil shows all keys.
    var sort: (text: String, order: RecordOrder) = ("none", RecordOrder())
    var columns: [OutputKey]?
    /// The types of fields, as the user wrote them.
    var types: String?
    /// The dialect of the last `.sql`.
    var chosenDialect: SQLDialect?
    var arguments: (text: String, values: [FormatArgument])?
    /// The variables by name. `text` is shown to the user.
    var variables: [String: (text: String, value: PredicateValue)] = [:]
    /// The last predicate or expression that ran.
    var lastText: String?
    var history = History()
    let historyFile: HistoryFile?
    /// Each input has one instant for `now()`.
    let clock = RunClock()
    /// The most serious exit code so far, for scripts.
    private(set) var code = ExitCode.success
    private(set) var isOver = false
    private var depth = 0

    /// The sample that is read without files; nil reads all samples.
    private let example: Example?

    init(
        names: [String], example: Example? = nil, input: CommandInput, output: CommandOutput, terminal: (any Terminal)?,
        colored: Bool,
        environment: PredicateEnvironment, readerOptions: ReaderOptions, historyFile: HistoryFile?,
        joined: String? = nil, driver: DriverOptions = DriverOptions()
    ) throws {
        self.names = names
        (self.example, self.joined) = (example, joined)
        source = try DataSources.open(names, input, readerOptions, as: joined, driver: driver, example: example)
        self.input = input
        self.output = output
        self.terminal = terminal
        isColored = colored
        self.environment = environment
        self.readerOptions = readerOptions
        self.historyFile = historyFile
        limit = terminal == nil ? nil : Self.usualLimit
        select(entity: source.entities.first ?? "")
    }

    /// Opens files. The settings are kept if the new source has the current entity.
    func open(_ names: [String], _ options: ReaderOptions, as joined: String?) throws {
        source = try interruptible { [input, example] in
            try DataSources.open(names, input, options, as: joined, example: example)
        }
        (self.names, readerOptions, self.joined) = (names, options, joined)
        select(entity: source.entities.contains(entity) ? entity : source.entities.first ?? "")
    }

    /// Selects an entity. Another one has its own order, columns and last predicate.
    func select(entity name: String) {
        if name != entity { (sort, columns, lastText) = (("none", RecordOrder()), nil, nil) }
        entity = name
        checker =
            source.isDescribed(name) ? try? TypeChecker(schema: source.schema, entity: name, in: environment) : nil
    }

    // MARK: Lines

    /// Runs one complete input.
    func run(_ text: String) throws {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.isEmpty { return }
        clock.advance()
        do {
            if let command = CommandLine(trimmed) {
                try run(command)
            } else if DotCommand.bareWords.contains(trimmed) {
                try run(CommandLine("." + (trimmed == "exit" ? "quit" : trimmed)))
            } else {
                try query(trimmed)
            }
        } catch CommandEnd.usage(let reason, let hint) {
            try fail(.usage, reason, hint: hint)
        } catch CommandEnd.failure(let code, let reason) {
            try fail(code, reason)
        } catch CommandEnd.exit(let code) {
            worsen(code)  // its messages were printed before
        } catch is CancellationError {
            try note("stopped")
            // The rest of a file is not run.
            if depth > 0 { throw CancellationError() }
        } catch let failure as PredicateFailure {
            worsen(ExitCode(evaluating: failure))
            try show(failure.diagnostics, source: failure.source)
        }
    }

    private func run(_ line: CommandLine?) throws {
        guard let line else { return }
        guard let command = DotCommand.named(line.name) else {
            throw CommandEnd.unknown(
                "there is no command", line.name, among: DotCommand.all.map(\.name), else: "'.help' lists the commands")
        }
        try command.run(self)(line)
    }

    /// Runs the lines of a file or pipe. An incomplete input continues on the next line.
    /// - Parameter next: reads a line. Its argument is the incomplete input before that line.
    func run(lines next: (_ pending: String) throws -> ArraySlice<UInt8>?) throws {
        var pending = ""
        while !isOver {
            let bytes = try next(pending)
            if let bytes {
                guard let line = String(validUTF8: bytes) else {
                    throw CommandEnd.failure(.failed, "this line is not UTF-8 text")
                }
                // An empty line ends an incomplete input.
                let isBlank = line.allSatisfy(\.isWhitespace)
                if pending.isEmpty, isBlank || PredicateLines.isComment(line) { continue }
                pending += (pending.isEmpty ? "" : "\n") + line
                if !isBlank, !isWhole(pending) { continue }
            }
            let text = pending
            pending = ""
            try run(text)
            if bytes == nil { return }
        }
    }

    /// Whether an input is complete. A command is one line, unless its argument is a predicate.
    func isWhole(_ text: String) -> Bool {
        let shape = InputShape(environment: environment)
        guard let line = CommandLine(text) else { return DotCommand.bareWords.contains(text) || shape.isWhole(text) }
        guard case .predicate? = DotCommand.named(line.name)?.argument else { return true }
        return shape.isWhole(line.argument)
    }

    /// The command `.read`.
    func readFile(_ name: String) throws {
        guard depth < Self.readDepth else {
            throw CommandEnd.failure(.failed, "'\(name)' is not read: files nest deeper than \(Self.readDepth) levels")
        }
        depth += 1
        defer { depth -= 1 }
        let next = try interruptible { [input] in try input.source(name) }
        var lines = LineReader { [unowned self] in try interruptible(next) }
        try run { _ in try lines.line() }
    }

    func quit(_ line: CommandLine) { isOver = true }

    func remember(_ text: String) {
        guard history.keeps(text) else { return }
        history.add(text)
        historyFile?.append(text)
    }

    // MARK: Printing

    /// The width of the terminal; nil if there is none.
    var width: Int? { terminal?.size.columns }

    /// Whether a person reads the output directly.
    var isInteractive: Bool { terminal != nil || input.isTerminal }

    /// Prints results. Uses the pager if they do not fit the screen.
    func show(_ text: PagedText) throws {
        guard let terminal else {
            for line in text.lines(.max) { try output.line(line.plain) }
            return
        }
        let pager = try pager(text, terminal)
        if pager.isNeeded { return pager.show(on: terminal, colored: isColored) }
        for row in pager.rows { terminal.write((isColored ? row.colored : row.uncolored) + "\r\n") }
    }

    /// Lays out a text, which may have many lines.
    func pager(_ text: PagedText, _ terminal: any Terminal) throws -> Pager {
        try interruptible { [size = terminal.size] in Pager(text, size: size) }
    }

    func show(_ lines: [StyledText]) throws { try show(PagedText(lines)) }

    func show(_ text: String) throws {
        try show(text.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(String($0)) })
    }

    /// Prints a note for the user. Without a terminal it goes to standard error.
    func note(_ text: String, _ style: TextStyle = .dim) throws {
        guard let terminal else { return try output.note(text) }
        let line = StyledText(text, style)
        let shown = isColored ? line.colored : line.uncolored
        terminal.write(shown.replacingOccurrences(of: "\n", with: "\r\n") + "\r\n")
    }

    /// Prints a confirmation, such as the new value of a setting, if the session is interactive. Scripts do not need
    /// it.
    func answer(_ text: String) throws {
        if isInteractive { try note(text) }
    }

    func show(_ diagnostics: [PredicateDiagnostic], source text: String) throws {
        guard !diagnostics.isEmpty else { return }
        let renderer = DiagnosticRenderer(width: width ?? output.width, colored: terminal != nil && isColored)
        let picture = renderer.render(diagnostics, source: text)
        guard let terminal else { return try output.note(picture) }
        terminal.write(picture.replacingOccurrences(of: "\n", with: "\r\n") + "\r\n")
    }

    private func fail(_ code: ExitCode, _ reason: String, hint: String? = nil) throws {
        worsen(code)
        try note(DisplayText.visible(reason), .error)
        if let hint { try note("  " + DisplayText.visible(hint)) }
    }

    func worsen(_ code: ExitCode) {
        if code != .negative { self.code = self.code.combined(with: code) }
    }

    /// Runs work that may take long. Throws `CancellationError` if the user presses Ctrl-C.
    func interruptible<Result>(_ work: @escaping () throws -> Result) throws -> Result {
        // An evaluation that was cancelled may have a result, or fail.
        let (result, wasCancelled) = Interruptible.run(isCancelled: { isCancelled }) { Swift.Result(catching: work) }
        guard let result, !wasCancelled else { throw CancellationError() }
        return try result.get()
    }

    /// Whether the user has pressed Ctrl-C. Other keys pressed in the meantime are discarded.
    var isCancelled: Bool {
        if prompt?.takeInterrupt() == true { return true }
        guard let terminal, case .bytes(let bytes) = terminal.next(within: 0) else { return false }
        return bytes.contains(0x03)
    }
}
