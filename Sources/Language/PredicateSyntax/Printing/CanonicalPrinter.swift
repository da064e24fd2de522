// Prints the text of Apple's predicateFormat (LANGUAGE 6). The text parses to the same tree if all constants and keys
// have a literal form. Recursion is bounded by the height of the tree.

/// Prints trees in canonical form.
///
///     CanonicalPrinter.print(tree)  // age >= 21 AND name BEGINSWITH[cd] "é"
///
/// Cost: linear in the tree.
package struct CanonicalPrinter: Sendable {
    private var text = ""
    private var constants = Constants.canonical
    /// The arguments of the conversions.
    private var arguments: [PredicateValue] = []

    /// The form of constants, and of keys that have no literal form.
    private enum Constants {
        /// Apple's form; some constants cannot be parsed again.
        case canonical
        /// Apple's form where it can be parsed again, else with tags.
        case readable
        /// As `%@` and `%K`.
        case arguments
        /// With the tags of TaggedValue: `CAST(1.5, "$date")`.
        case tagged
    }

    package static func print(_ node: PredicateNode) -> String { text(.canonical) { $0.write(node) } }
    package static func print(_ node: ExpressionNode) -> String { text(.canonical) { $0.write(node) } }

    /// The canonical text, but with tags for constants and keys that have no literal form.
    package static func readable(_ node: PredicateNode) -> String { text(.readable) { $0.write(node) } }
    package static func readable(_ node: ExpressionNode) -> String { text(.readable) { $0.write(node) } }

    /// A text that parses to an equal tree, for any constants and keys.
    static func tagged(_ write: (inout CanonicalPrinter) -> Void) -> String { text(.tagged, write) }

    /// The text with `%@` for each constant and `%K` for each key without a literal form, and the arguments.
    static func exact(_ write: (inout CanonicalPrinter) -> Void) -> (String, [PredicateValue]) {
        let printer = printed(.arguments, write)
        return (printer.text, printer.arguments)
    }

    private static func text(_ constants: Constants, _ write: (inout CanonicalPrinter) -> Void) -> String {
        printed(constants, write).text
    }

    private static func printed(
        _ constants: Constants, _ write: (inout CanonicalPrinter) -> Void
    ) -> CanonicalPrinter {
        var printer = CanonicalPrinter()
        printer.constants = constants
        write(&printer)
        return printer
    }

    // MARK: Predicates

    @inline(never)
    mutating func write(_ node: PredicateNode) {
        switch node.kind {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): write(comparison)
        case .and(let children): write(children, " AND ", empty: "TRUEPREDICATE")
        case .or(let children): write(children, " OR ", empty: "FALSEPREDICATE")
        case .not(let child):
            text += "NOT "
            writeChild(child)
        case .error: text += "<error>"
        }
    }

    private mutating func write(_ children: [PredicateNode], _ separator: String, empty: String) {
        switch children.count {
        case 0: text += empty
        case 1: write(children[0])
        default:
            for (position, child) in children.enumerated() {
                if position > 0 { text += separator }
                writeChild(child)
            }
        }
    }

    /// Prints a child. A child that is a compound gets parentheses.
    private mutating func writeChild(_ child: PredicateNode) {
        guard child.isCompound else { return write(child) }
        text += "("
        write(child)
        text += ")"
    }

    private mutating func write(_ comparison: ComparisonNode) {
        if comparison.modifier != .direct { text += comparison.modifier.spelling + " " }
        write(comparison.left)
        text += " " + comparison.operator.spelling + comparison.options.spelling + " "
        write(comparison.right)
    }

    // MARK: Expressions

    /// Calls a method for each group of cases, because a single `switch` over all cases would need kilobytes of stack
    /// per level in debug builds.
    @inline(never)
    mutating func write(_ node: ExpressionNode) {
        switch node.kind {
        case .member, .index: writePostfix(node)
        case .binary: writeBinary(node)
        case .negation, .assignment: writePrefix(node)
        case .call, .aggregate, .fetch: writeItems(node)
        case .method(let target, let selector, let arguments): writeMethod(target, selector, arguments)
        case .cast, .ternary, .subquery: writeSpecial(node)
        default: writeLeaf(node)
        }
    }

    private mutating func writeLeaf(_ node: ExpressionNode) {
        switch node.kind {
        case .value(let value): write(value)
        case .selfObject: text += "SELF"
        case .anyKey: text += "ANYKEY"
        case .variable(let name): text += "$" + name
        case .keyPath(let components): write(components)
        case .indexSymbol(let symbol): text += symbol.rawValue
        case .term(let name, let argument): text += "@" + name + "(" + argument + ")"
        case .argument(let conversion): text += conversion.spelling
        default: text += "<error>"
        }
    }

    private mutating func writePostfix(_ node: ExpressionNode) {
        if case .member(let base, let step) = node.kind {
            writeOperand(base, in: base.isInfix || (base.endsInPath && step.isPath))
            text += "."
            write(step)
        } else if case .index(let base, let index) = node.kind {
            writeOperand(base, in: base.isInfix || base.hasDot)
            text += "["
            write(index)
            text += "]"
        }
    }

    private mutating func writeBinary(_ node: ExpressionNode) {
        guard case .binary(let binary, let left, let right) = node.kind else { return }
        writeOperand(left, in: left.isBinary)
        text += " " + binary.spelling + " "
        writeOperand(right, in: right.isBinary)
    }

    private mutating func writePrefix(_ node: ExpressionNode) {
        if case .negation(let operand) = node.kind {
            text += "-"
            writeOperand(operand, in: operand.isBinary || operand.isNumber)
        } else if case .assignment(let variable, let operand) = node.kind {
            text += "$" + variable + " := "
            writeOperand(operand, in: operand.isBinary)
        }
    }

    private mutating func writeItems(_ node: ExpressionNode) {
        let (opening, closing) =
            switch node.kind {
            case .call(let name, _): (name + "(", ")")
            case .aggregate: ("{", "}")
            default: ("FETCH(", ")")
            }
        text += opening
        writeList(node.kind.children.rest)
        text += closing
    }

    private mutating func writeSpecial(_ node: ExpressionNode) {
        if case .cast(let operand, let type) = node.kind {
            text += "CAST("
            write(operand)
            text += ", "
            ValuePrinter.write(.string(type), into: &text)
        } else if case .ternary(let condition, let yes, let no) = node.kind {
            text += "TERNARY("
            write(condition)
            text += ", "
            writeList([yes, no])
        } else if case .subquery(let collection, let variable, let condition) = node.kind {
            text += "SUBQUERY("
            write(collection)
            text += ", $" + variable + ", "
            write(condition)
        }
        text += ")"
    }

    private mutating func write(_ value: PredicateValue) {
        switch constants {
        case .canonical: ValuePrinter.write(value, into: &text)
        case .readable: ValuePrinter.writeReadable(value, into: &text)
        case .tagged: ValuePrinter.writeTagged(value, into: &text)
        case .arguments:
            arguments.append(value)
            text += "%@"
        }
    }

    private mutating func write(_ components: [String]) {
        // The extension for keys with letters beyond ASCII reads them.
        let takesLetters = constants == .readable
        if constants != .canonical, !components.allSatisfy({ Self.isBareKey($0, takesLetters) }) {
            let path = PredicateValue.string(components.joined(separator: "."))
            if constants != .arguments { return ValuePrinter.writeCast(path, ValueTag.key, into: &text) }
            arguments.append(path)
            text += "%K"
            return
        }
        for (position, component) in components.enumerated() {
            if position > 0 { text += "." }
            if Keywords.isReserved(component) { text += "#" }
            text += component
        }
    }

    /// Whether a key can be printed without `%K`: an identifier, optionally after `@`.
    private static func isBareKey(_ component: String, _ takesLetters: Bool) -> Bool {
        let word =
            component.utf8.first == UInt8(ascii: "@") ? Substring(component).utf8.dropFirst() : component.utf8[...]
        guard let first = word.first, first.beginsWord || takesLetters && first >= 0x80 else { return false }
        return word.allSatisfy { $0.isOfWord || takesLetters && $0 >= 0x80 }
    }

    private mutating func writeOperand(_ node: ExpressionNode, in parentheses: Bool) {
        if parentheses { text += "(" }
        write(node)
        if parentheses { text += ")" }
    }

    /// Prints a space before the comma after the selector, as Apple does.
    private mutating func writeMethod(_ target: ExpressionNode, _ selector: String, _ arguments: [ExpressionNode]) {
        text += "FUNCTION("
        write(target)
        text += ", "
        ValuePrinter.write(.string(selector), into: &text)
        if !arguments.isEmpty {
            text += " , "
            writeList(arguments)
        }
        text += ")"
    }

    private mutating func writeList(_ nodes: [ExpressionNode]) {
        for (position, node) in nodes.enumerated() {
            if position > 0 { text += ", " }
            write(node)
        }
    }
}

extension PredicateNode: CustomStringConvertible {
    /// The canonical text.
    public var description: String { CanonicalPrinter.print(self) }

    /// A text that parses to an equal tree; see `FormatPredicate.exactDescription`.
    package var exactDescription: String { CanonicalPrinter.tagged { $0.write(self) } }

    /// Whether the node is AND, OR or NOT.
    package var isCompound: Bool {
        switch kind {
        case .and, .or, .not: true
        default: false
        }
    }
}

extension ExpressionNode: CustomStringConvertible {
    /// The canonical text.
    public var description: String { CanonicalPrinter.print(self) }

    /// A text that parses to an equal tree; see `FormatPredicate.exactDescription`.
    package var exactDescription: String { CanonicalPrinter.tagged { $0.write(self) } }

    var isBinary: Bool {
        switch kind {
        case .binary, .assignment: true
        default: false
        }
    }

    /// Whether the node needs parentheses before a dot or an index.
    var isInfix: Bool {
        if case .negation = kind { return true }
        return isBinary || isNumber
    }

    /// Whether the value prints as a number; Booleans do.
    var isNumber: Bool {
        guard case .value(let value) = kind else { return false }
        switch value {
        case .bool, .integer, .float, .double, .decimal: return true
        default: return false
        }
    }

    package var isPath: Bool { if case .keyPath = kind { true } else { false } }

    /// Whether keys after this expression would extend its key path: `(a.@max).b` differs from `a.@max.b`.
    var endsInPath: Bool {
        if case .member(_, let step) = kind { return step.isPath }
        return isPath
    }

    var hasDot: Bool {
        switch kind {
        case .keyPath(let components): components.count > 1
        case .member: true
        default: false
        }
    }
}
