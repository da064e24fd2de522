// Joins a format from the expression that a call takes: literals, sums, calls that insert texts, and names. The scanners of Swift, Objective-C and Python use it.

/// The parts of a format: literals, and parts that are known only at run time.
struct FormatBuilder {
    private(set) var text: SourcedText?
    private(set) var holes: [FoundPredicate.Hole] = []
    private(set) var hasLiteral = false
    /// Whether a variable has the format, so that only some of its texts are known.
    fileprivate(set) var isPartial = false
    /// The numbers of `#` signs of the literals in Swift.
    fileprivate(set) var hashes: Set<Int> = []
    /// Whether the value of the variable begins with its present value.
    fileprivate var followsItself = false
    /// The number of names that were followed.
    fileprivate var names = 0

    fileprivate mutating func add(_ part: SourcedText, _ partHoles: [FoundPredicate.Hole] = []) {
        hasLiteral = true
        join(part, partHoles)
    }

    fileprivate mutating func add(unknown span: SourceSpan) {
        var (part, holes) = (SourcedText(at: span.start), [FoundPredicate.Hole]())
        part.appendHole(span.range, &holes)
        join(part, holes)
    }

    private mutating func join(_ part: SourcedText, _ partHoles: [FoundPredicate.Hole]) {
        let offset = text?.bytes.count ?? 0
        if text == nil { text = part } else { text?.append(part) }
        holes += partHoles.map {
            FoundPredicate.Hole(span: SourceSpan($0.span.start + offset, $0.span.end + offset), source: $0.source)
        }
    }
}

struct FormatReader {
    let names: Declarations
    /// Whether the tokens are those of the file, so that a position has a scope; false for a macro and an interpolation.
    var isInScope = true

    /// The maximum number of expressions in one another, and of names, that are followed.
    private static let stepLimit = 16
    private static let nameLimit = 256

    private var bytes: [UInt8] { names.bytes }
    /// The declarations of the formats that were read; each is read once.
    private var read: Set<Int> = []

    init(names: Declarations) { self.names = names }

    /// The format that an expression gives; nil if none of its texts is known, or if it is a name that was read.
    mutating func format(_ value: ArraySlice<SourceToken>) -> FormatBuilder? {
        if isInScope, value.count == 1, let name = value.first, name.kind == .word,
            let found = names.declaration(of: bytes.text(name), at: value.startIndex),
            !read.insert(found.index).inserted
        {
            return nil
        }
        var builder = FormatBuilder()
        add(value, to: &builder, nil, Self.stepLimit)
        // Of a variable, the texts between those that are known may be anything.
        return builder.hasLiteral && (!builder.isPartial || !builder.holes.isEmpty) ? builder : nil
    }

    /// - Parameters:
    ///   - template: the function that reads the text inserts others into it.
    ///   - own: the variable whose value is read.
    private func add(
        _ value: ArraySlice<SourceToken>, to builder: inout FormatBuilder, _ template: TextTemplate?, _ steps: Int,
        own: String = ""
    ) {
        let value = CallArguments.unwrapped(value)
        guard let first = value.first, steps > 0 else { return }
        let operands = CallArguments.operands(value)
        if operands.count > 1 {
            for operand in operands { add(operand, to: &builder, template, steps - 1, own: own) }
            return
        }
        let choices = choices(value)
        if choices.count > 1 {
            builder.isPartial = true
            for choice in choices { add(choice, to: &builder, template, steps - 1, own: own) }
            return
        }
        let isBracketed = names.language == .python && value.indices.contains(first.partner)
        let literals = value.prefix { $0.isText || $0.isSign("@") && names.language == .objectiveC }
        let head = isBracketed ? value[...first.partner] : literals
        let rest = value[head.endIndex...]
        let inserted = inserted(by: rest)
        if isBracketed, inserted != nil {
            add(head, to: &builder, inserted, steps - 1, own: own)
        } else if !literals.isEmpty, rest.isEmpty || inserted != nil {
            for case .literal(let literal) in literals.map({ $0.kind }) {
                let template = inserted ?? template
                guard
                    let read = names.language == .swift
                        ? literal.swiftText(bytes, template) : literal.objectiveCText(bytes, template)
                else {
                    builder.add(unknown: value.span)
                    continue
                }
                // A variable at the start of its own new value goes on: `f = "\(f) AND …"`.
                let goesOn = !own.isEmpty && builder.text == nil && !builder.followsItself
                builder.add(read.text, read.holes.filter { !goesOn || $0.span.start > 1 })
                builder.hashes.insert(literal.hashes)
            }
        } else if let call = call(value) {
            add(call.receiver, to: &builder, nil, steps - 1, own: own)
            add(call.text, to: &builder, call.template, steps - 1, own: own)
        } else if names.language == .swift, let key = SwiftLiteral.keyPath(bytes, value.span.range) {
            var text = SourcedText(at: first.start)
            text.append(key.utf8, from: value.span.range)
            builder.add(text)
        } else if !addNamed(value, to: &builder, template, steps, own: own) {
            builder.add(unknown: value.span)
        }
    }

    /// The values of `a ? b : c`, in Python of `b if a else c`.
    private func choices(_ value: ArraySlice<SourceToken>) -> [ArraySlice<SourceToken>] {
        guard names.language == .python else { return CallArguments.choices(value) }
        let words = value.indices.filter { bytes.word(value[$0], is: "if") || bytes.word(value[$0], is: "else") }
        guard words.count == 2, value[words[0]].end - value[words[0]].start == 2 else { return [value] }
        return [value[..<words[0]], value[(words[1] + 1)...]]
    }

    /// How Python inserts texts into the text before these tokens: `% x`, `.format(x)`.
    private func inserted(by rest: ArraySlice<SourceToken>) -> TextTemplate? {
        guard names.language == .python, let first = rest.first else { return nil }
        if first.isSign("%") { return .printf }
        return first.isSign(".") && bytes.word(rest.dropFirst().first, is: "format") ? .braces : nil
    }

    /// The texts of a call or a message that makes a text of others: `String(format: a, b)`,
    /// `[NSString stringWithFormat:a, b]`, `[a stringByAppendingString:b]`.
    private func call(
        _ value: ArraySlice<SourceToken>
    ) -> (receiver: ArraySlice<SourceToken>, text: ArraySlice<SourceToken>, template: TextTemplate?)? {
        let inner = value.dropFirst().dropLast()
        guard inner.count > 1, value.last?.partner == value.startIndex + (names.language == .swift ? 1 : 0) else {
            return nil
        }
        if names.language == .swift {
            let isText = bytes.word(value.first, is: "String") || bytes.word(value.first, is: "NSString")
            guard isText, bytes.word(inner.dropFirst().first, is: "format") else { return nil }
            return ([], CallArguments(inner.dropFirst(3)).arguments.first ?? [], .printf)
        }
        var colon = inner.endIndex
        inner.forEachOutside { index in
            colon = inner[index].isSign(":") ? index : colon
            return colon == inner.endIndex
        }
        guard colon > inner.startIndex else { return nil }
        let receiver = inner[..<(colon - 1)]
        let text = CallArguments(inner[colon...].dropFirst()).arguments.first ?? []
        switch bytes.text(inner[colon - 1]) {
        case "copy", "mutableCopy": return (receiver, [], nil)
        case "stringWithFormat", "initWithFormat", "localizedStringWithFormat": return ([], text, .printf)
        case "stringWithString", "initWithString": return ([], text, nil)
        case "stringByAppendingString", "appendString": return (receiver, text, nil)
        case "stringByAppendingFormat", "appendFormat": return (receiver, text, .printf)
        default: return nil
        }
    }

    /// Adds the value of `format` or `Self.format`. Of a variable that changes, adds the texts that it may have.
    private func addNamed(
        _ value: ArraySlice<SourceToken>, to builder: inout FormatBuilder, _ template: TextTemplate?, _ steps: Int,
        own: String
    ) -> Bool {
        guard let last = value.last, last.kind == .word, value.allSatisfy({ $0.kind == .word || $0.isSign(".") })
        else { return false }
        let name = bytes.text(last)
        if name == own {
            builder.followsItself = true
            return true
        }
        builder.names += 1
        let index = isInScope && value.count == 1 ? value.startIndex : nil
        guard builder.names <= Self.nameLimit, let (values, isConstant) = names.values(of: name, at: index) else {
            return false
        }
        let isOwn = values.map { Array(bytes[$0.span.range]).containsAny(of: [Array(name.utf8)]) }
        if isConstant, values.count == 1, !isOwn[0] {
            add(values[0], to: &builder, template, steps - 1)
            return true
        }
        for (value, isOwn) in zip(values, isOwn) {
            var part = FormatBuilder()
            part.names = builder.names
            add(value, to: &part, nil, steps - 1, own: isOwn ? name : "")
            builder.names = part.names
            builder.hashes.formUnion(part.hashes)
            if part.hasLiteral, let text = part.text { builder.add(text, part.holes) }
        }
        builder.isPartial = true
        return true
    }
}
