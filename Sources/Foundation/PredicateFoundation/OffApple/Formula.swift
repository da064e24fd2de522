// A predicate or an expression together with its blocks. A tree cannot contain closures, so each block becomes a
// function with a unique name in the environment of this formula.
#if !canImport(ObjectiveC)
    import Foundation

    /// A predicate or expression, and what its tree does not contain.
    struct BlockFormula<Root: FormatText>: Sendable {
        /// In the environment of the blocks.
        let root: Root
        let blocks: Blocks

        init(_ root: Root, _ blocks: Blocks = Blocks()) {
            var blocks = blocks
            blocks.add(root.environment)
            let environment = blocks.environment
            self.root = Root(root.root, source: root.source, warnings: root.warnings, in: environment)
            self.blocks = blocks
        }

        /// Throws the errors that a text has for objects of any type, such as unknown functions: Apple's parser finds
        /// them, too.
        func checked() throws(PredicateFailure) -> BlockFormula {
            let found = TypeChecker.text(blocks.environment).check(root.tree, root.source).diagnostics
            if found.contains(where: { $0.severity == .error }) { throw PredicateFailure(found, source: root.source) }
            return self
        }

        /// The text of `predicateFormat`. It has the descriptions of objects, as on Apple's platforms.
        var text: String {
            let rewriter = PredicateRewriter<Never>(expression: { node in
                guard case .value(let value) = node.kind else { return node }
                let described = value.replacingObjects { .type("\(PredicateValue.object($0).anyValue ?? $0)") }
                return ExpressionNode(.value(described), span: node.span)
            })
            return switch root.tree {
            case .predicate(let root): rewriter.rewrite(root).description
            case .expression(let root): rewriter.rewrite(root).description
            }
        }
    }

    /// What a tree does not contain: the environment, with the blocks as functions, and which keys may be read.
    struct Blocks: Sendable {
        private(set) var environment = PredicateEnvironment.standard
        /// Whether only published keys are read, also of objects without a key table: a FormatPredicate may be the text
        /// of a user, while a format in source code may read stored properties.
        private(set) var isPublishedOnly = false
        private static let count = Mutex(0)

        static let published: Blocks = {
            var blocks = Blocks()
            blocks.isPublishedOnly = true
            return blocks
        }()

        /// Whether the formula has no blocks, and no environment of its own.
        var isEmpty: Bool { environment === PredicateEnvironment.standard }

        /// The blocks of several parts.
        static func + (left: Blocks, right: Blocks) -> Blocks {
            var all = left
            all.isPublishedOnly = left.isPublishedOnly || right.isPublishedOnly
            all.add(right.environment)
            return all
        }

        mutating func add(_ other: PredicateEnvironment) { environment = environment.joined(with: other) }

        /// Adds a block and returns the name of its function.
        mutating func add(arity: Int, _ body: @escaping ([Any?]) -> Any?) -> String {
            let number = Self.count.withLock { count in
                count += 1
                return count
            }
            let name = "block\(number):"
            let block = Block(body: body)
            var functions = FunctionCatalog.standard
            functions.add(
                PredicateFunction(
                    name, arity: arity, signature: name, summary: "a block", isVolatile: true, takesNil: true
                ) { (arguments, _) throws(EvaluationFault) in
                    guard let value = try? HostValue.value(block.body(arguments.map(\.anyValue))) else {
                        throw EvaluationFault(.limitExceeded, "the value of a block nests collections too deep", "200")
                    }
                    return value
                })
            add(PredicateEnvironment(functions: functions))
            return name
        }

        /// A block of the app. `@unchecked Sendable` because `NSPredicate(block:)` also accepts any block; the app must
        /// evaluate the predicate on suitable threads.
        private struct Block: @unchecked Sendable {
            let body: ([Any?]) -> Any?
        }
    }

    extension BlockFormula<FormatPredicate> {
        /// The formula of any predicate object. A predicate without a tree becomes the call of a block.
        static func predicate(_ object: NSPredicate) -> BlockFormula {
            if let known = (object as? any PredicateObject)?.runtime?.formula { return known }
            if let object = object as? NSCompoundPredicate {
                return compound(object.compoundPredicateType, object.subpredicates.map(BlockFormula.predicate))
            }
            if let runtime = SubclassObjects.runtime(of: object) { return runtime.formula }
            for value in [true, false] where object.isEqual(NSPredicate(value: value)) {
                return BlockFormula(.constant(value))
            }
            var blocks = Blocks()
            let name = blocks.add(arity: 1) { object.evaluate(with: $0[0]) }
            let call = FormatExpression(ExpressionNode(.call(name, [ExpressionNode(.selfObject)])))
            return BlockFormula(.comparison(call, .equal, .value(true)), blocks)
        }

        /// The formula for a compound of several formulas.
        static func compound(_ type: NSCompoundPredicate.LogicalType, _ parts: [BlockFormula]) -> BlockFormula {
            let blocks = parts.reduce(Blocks()) { $0 + $1.blocks }
            let roots = parts.map(\.root)
            return switch type {
            case .and: BlockFormula(.and(roots), blocks)
            case .or: BlockFormula(.or(roots), blocks)
            case .not: BlockFormula(.not(roots.first ?? .constant(true)), blocks)
            }
        }
    }
#endif
