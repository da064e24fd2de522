// Reads the options of `predicate filter`: inputs, how to read them, and the predicate.

extension Invocation {
    /// The inputs: file names, `-` for standard input, or an empty list for sample data.
    func inputNames() throws -> [String] {
        let files = has(.file) ? operands : Array(operands.dropFirst())
        if has(.example) {
            guard files.isEmpty else { throw CommandEnd.usage("--example and files cannot be used together") }
            return [""]
        }
        if files.isEmpty, input.isTerminal {
            throw CommandEnd.usage(
                "there are no records: name a file, or pipe them in",
                hint: "predicate \(command.name) 'priority > 2' --example todo")
        }
        return files.isEmpty ? ["-"] : try input.recordFiles(files)
    }

    func open(_ name: String, _ options: ReaderOptions) throws -> RecordReader {
        if let example = Example.named(self[.example]) {
            return RecordReader(bytes: example.bytes, name: example.file, options: options)
        }
        if name != "-", has(.file), SystemFile.type(ofPath: input.path(name)) == nil {
            throw CommandEnd.failure(.failed, "there is no file '\(name)'; with --file every argument is a file")
        }
        return try input.reader(name, options)
    }

    package func readerOptions(keepsText: Bool = true) throws -> ReaderOptions {
        var options = ReaderOptions()
        options.format = self[.from].flatMap(RecordFormat.init(rawValue:))
        if let delimiter = self[.delimiter] {
            guard !delimiter.isEmpty, !delimiter.contains(where: { $0 == "\"" || $0.isNewline }) else {
                throw CommandEnd.usage("--delimiter cannot have quotation marks or line breaks")
            }
            // Shells do not convert `\t` to a tab.
            options.delimiter = delimiter == "\\t" ? "\t" : delimiter
        }
        if let path = self[.at] {
            options.place = path.keyPathKeys
            guard !options.place.contains(""), !options.place.dropLast().contains("*") else {
                throw CommandEnd.usage("--at takes keys separated by dots, not '\(path)'", hint: "--at data.items")
            }
        }
        options.keyField = self[.keyField]
        if options.keyField != nil, options.place.last != "*" {
            let hint = "--at '*' --key-field id"
            throw CommandEnd.usage("--key-field needs --at '*', the values of an object", hint: hint)
        }
        try readColumns(&options)
        options.keepsText = keepsText && !has(.countOnly) && !has(.keys)
        if let types = try fieldTypes(Example.named(self[.example])?.types) { options.types = types }
        return options
    }

    /// Reads the options for the columns of CSV, and `--file-key`.
    private func readColumns(_ options: inout ReaderOptions) throws {
        if has(.noHeader) { options.columns = [] }
        if let text = self[.columnNames] {
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            if names.contains("") {
                throw CommandEnd.usage("--columns: a name is empty in '\(text)'", hint: "--columns id,name,age")
            }
            if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
                throw CommandEnd.usage(
                    "--columns: the name '\(twice)' occurs twice in '\(text)'; each column needs its own")
            }
            options.columns = names
        }
        options.nilTexts = list(.nilTexts)
        options.fileKey = self[.fileKey]
        if options.fileKey == "" { throw CommandEnd.usage("--file-key takes the name of a key") }
    }

    /// The types of `--types`, or else the given default.
    func fieldTypes(_ usual: String? = nil) throws -> FieldTypes? {
        do throws(FieldTypeProblem) {
            return try (self[.types] ?? usual).map { (text) throws(FieldTypeProblem) in try FieldTypes(text) }
        } catch {
            throw CommandEnd.usage("--types: \(error.message)")
        }
    }

    /// Compiles the predicate for many records. Prints its errors and throws if it has any.
    func compile(
        _ text: PredicateText, variables: PredicateVariables, _ report: Report
    ) throws -> PredicateMatcher<PredicateValue> {
        guard case .predicate(let predicate) = text.tree, !text.hasErrors else {
            throw CommandEnd.exit(try refuse(text, report))
        }
        do throws(PredicateFailure) {
            let matcher = try predicate.compiled(variables: variables, run: text.run)
            // The others depend on the records: RecordTypes.swift shows them at the end.
            try? report.show(text.early, source: text.source, file: self[.file])
            return matcher
        } catch {
            try report.show(text.diagnostics(after: error), source: text.source, file: self[.file])
            throw CommandEnd.exit(ExitCode(evaluating: error))
        }
    }

    /// Prints the errors of a predicate, and a note if it may be one without quotation marks.
    func refuse(_ text: PredicateText, _ report: Report) throws -> ExitCode {
        try report.show(text.diagnostics, source: text.source, file: self[.file])
        if operands.count > 1, !has(.file), SystemFile.type(ofPath: input.path(operands[1])) == nil {
            let all = DisplayText.visible(text.source)
            try output.note("more than one argument: quote the predicate; '\(all)' is all that came as one")
        }
        return text.code
    }
}
