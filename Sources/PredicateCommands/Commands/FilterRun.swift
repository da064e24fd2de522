// One run of `predicate filter`: the predicate is compiled once, and records stream from the readers to the writer; only
// sorting holds them.

import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSyntax

final class FilterRun {
    private let invocation: Invocation
    private let report: Report
    private let predicate: PredicateText
    private let matcher: Matcher<Value>
    private let readerOptions: ReaderOptions
    private let keys: [FieldPath]?
    private let limit: Int?
    private let offset: Int
    private let skipsErrors: Bool
    private var sorter: RecordSorter?
    private var writer: RecordWriter?
    private var progress = ProgressLine()
    private var selected = 0
    private var skipped = 0

    /// Reads the options and compiles the predicate; throws for whatever is wrong with them.
    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        report = Report(invocation)
        let reader = try invocation.textReader(unbound: false)
        predicate = reader.read(try invocation.text(otherOperands: true))
        readerOptions = try invocation.readerOptions()
        keys = try invocation.fieldPaths(.keys)
        let limit = try invocation.count(.limit)
        let offset = try invocation.count(.offset) ?? 0
        self.limit = limit
        self.offset = offset
        skipsErrors = invocation[.onError] == "skip"
        if let order = try invocation.sortKeys() {
            let wanted = limit.map { $0.addingReportingOverflow(offset) }
            sorter = RecordSorter(keys: order, limit: wanted.flatMap { $0.overflow ? nil : $0.partialValue })
        }
        matcher = try invocation.compile(predicate, variables: invocation.variables(reader.language), report)
    }

    func run() throws -> ExitCode {
        do {
            let code = try filterInputs()
            if skipped > 0 { try note("\(skipped) \(skipped == 1 ? "record" : "records") skipped") }
            return code
        } catch OutputProblem.closed {
            throw CommandEnd.outputClosed
        } catch OutputProblem.failed(let reason) {
            throw CommandEnd.failure(.failed, reason)
        } catch let problem as RecordProblem {
            throw CommandEnd.failure(.failed, problem.description)
        }
    }

    private func filterInputs() throws -> ExitCode {
        var source: RecordSource?
        var failed = false
        // With --limit 0 the first input is read from all the same: it tells the output's format.
        for name in try invocation.inputNames() where !failed && (!isFull || source == nil) {
            let reader = try invocation.open(name, readerOptions)
            reader.beforeWaiting = { [self] in try? writer?.flush() }
            failed = try !filter(reader)
            source = reader.source
        }
        progress.clear()
        if invocation.has(.countOnly) {
            try invocation.output.line(String(emitted))
        } else {
            for record in sorter?.finish().dropFirst(offset) ?? [] { try write(record) }
            // Also where nothing was selected: an empty array is an answer. What failed before its first record has
            // none.
            try (failed ? writer : writer(for: source))?.finish(source)
        }
        return failed ? .failed : emitted > 0 ? .success : .negative
    }

    /// How many records go out: those selected, cut by offset and limit.
    private var emitted: Int { min(max(0, selected - offset), limit ?? .max) }

    /// Nothing that follows could go out.
    private var isFull: Bool {
        guard sorter == nil, let limit else { return false }
        return emitted >= limit
    }

    /// Filters one input; false where a problem ends the run.
    private func filter(_ reader: RecordReader) throws -> Bool {
        if isFull { _ = reader.next() }
        while !isFull, let event = reader.next() {
            progress.advance(reader)
            switch event {
            case .problem(let problem):
                try note(problem.description)
                if !skipsErrors || problem.endsInput { return false }
                skipped += 1
            case .record(let record):
                do throws(PredicateFailure) {
                    if try !matcher.test(record.value) { continue }
                } catch {
                    try show(error, record)
                    if !skipsErrors { return false }
                    skipped += 1
                    continue
                }
                selected += 1
                if invocation.has(.countOnly) { continue }
                if sorter != nil {
                    sorter?.add(record)
                } else if selected > offset {
                    try write(record)
                }
            }
        }
        return true
    }

    private func write(_ record: Record) throws {
        try writer(for: record.source)?.write(record)
    }

    /// The writer, made for the first input's format; nil where nothing was read that could tell.
    private func writer(for source: RecordSource?) -> RecordWriter? {
        if let writer { return writer }
        guard let format = invocation[.to].flatMap(RecordFormat.init(rawValue:)) ?? source?.format else { return nil }
        var options = WriterOptions(format: format)
        options.keys = keys
        options.delimiter = readerOptions.delimiter
        let output = invocation.output
        writer = RecordWriter(options: options) { bytes throws(OutputProblem) in
            do {
                try output.put(bytes: bytes)
                try output.flush()
            } catch CommandEnd.failure(_, let reason) {
                throw .failed(reason)
            } catch {
                throw .closed
            }
        }
        return writer
    }

    /// What evaluating a record found, with the place of the record.
    private func show(_ failure: PredicateFailure, _ record: Record) throws {
        let place = record.line > 0 ? ":\(record.line)" : ", record \(record.index + 1)"
        try note("\(record.source.name)\(place): the predicate cannot be evaluated")
        try report.show(failure.diagnostics, source: predicate.source)
    }

    private func note(_ text: String) throws {
        progress.clear()
        try writer?.flush()
        try invocation.output.note(DisplayText.visible(text))
    }
}

extension Invocation {
    /// The inputs: files, standard input, or the name of sample data.
    fileprivate func inputNames() throws -> [String] {
        let files = has(.file) ? operands : Array(operands.dropFirst())
        if has(.example) {
            guard files.isEmpty else { throw CommandEnd.usage("--example and files exclude each other") }
            return [""]
        }
        if files.isEmpty, input.isTerminal {
            throw CommandEnd.usage(
                "there are no records: name a file, or pipe them in",
                hint: "predicate filter 'priority > 2' --example todo")
        }
        return files.isEmpty ? ["-"] : files
    }

    fileprivate func open(_ name: String, _ options: ReaderOptions) throws -> RecordReader {
        if let example = Example.named(self[.example]) {
            return RecordReader(bytes: example.bytes, name: example.file, options: options)
        }
        if name != "-" {
            if has(.file), !FileManager.default.fileExists(atPath: input.path(name)) {
                throw CommandEnd.failure(.failed, "there is no file '\(name)'; with --file every argument is a file")
            }
            return try RecordReader(path: input.path(name), name: name, options: options)
        }
        if let descriptor = input.descriptor {
            return RecordReader(descriptor: descriptor, name: "<stdin>", options: options)
        }
        return RecordReader(bytes: try input.bytes("-"), name: "<stdin>", options: options)
    }

    fileprivate func readerOptions() throws -> ReaderOptions {
        var options = ReaderOptions()
        options.format = self[.from].flatMap(RecordFormat.init(rawValue:))
        if let delimiter = self[.delimiter] {
            guard !delimiter.isEmpty, !delimiter.contains(where: { $0 == "\"" || $0.isNewline }) else {
                throw CommandEnd.usage("--delimiter takes a text without quotation marks and line breaks")
            }
            // No shell makes a tab of it.
            options.delimiter = delimiter == "\\t" ? "\t" : delimiter
        }
        options.keepsText = !has(.countOnly) && !has(.keys)
        do throws(FieldTypeProblem) {
            if let types = self[.types] ?? Example.named(self[.example])?.types {
                options.types = try FieldTypes(types)
            }
        } catch {
            throw CommandEnd.usage("--types: \(error.message)")
        }
        return options
    }

    /// The predicate ready for many records; what is wrong with it is shown.
    fileprivate func compile(
        _ text: PredicateText, variables: PredicateVariables, _ report: Report
    ) throws -> Matcher<Value> {
        guard case .predicate(let predicate) = text.tree, !text.hasErrors else {
            try report.show(text.diagnostics, source: text.source, file: self[.file])
            if operands.count > 1, !has(.file), !FileManager.default.fileExists(atPath: input.path(operands[1])) {
                let all = DisplayText.visible(text.source)
                try output.note("more than one argument: quote the predicate; '\(all)' is all that came as one")
            }
            throw CommandEnd.exit(ExitCode(checking: text.diagnostics))
        }
        do throws(PredicateFailure) {
            let matcher = try predicate.compiled(variables: variables, options: text.options)
            try? report.show(text.diagnostics, source: text.source, file: self[.file])
            return matcher
        } catch {
            let findings = text.diagnostics.merged(with: error.diagnostics)
            try report.show(findings, source: text.source, file: self[.file])
            throw CommandEnd.exit(ExitCode(evaluating: error))
        }
    }
}
