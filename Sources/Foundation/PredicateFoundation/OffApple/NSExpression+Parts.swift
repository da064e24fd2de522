// The properties of NSExpression, and its evaluation.
#if !canImport(ObjectiveC)
    public import Foundation

    extension ObjectFactory where Self == _FoundationClasses.Expression {
        var formula: BlockFormula<FormatExpression> { .expression(self) }
        private var kind: ExpressionNode.Kind { formula.root.root.kind }

        private func object(_ node: ExpressionNode) -> Self {
            Self.made(ExpressionObjects.make(node, formula.blocks), by: "NSExpression")
        }

        private func raise(_ name: String) -> Never {
            Trap.stop(
                "the expression \(formula.root) has no \(name); this raises an exception on Apple's platforms too")
        }

        /// The kind of expression.
        public var expressionType: _FoundationClasses.Kind {
            switch kind {
            case .value, .indexSymbol: .constantValue
            case .selfObject: .evaluatedObject
            case .anyKey: .anyKey
            case .variable, .assignment: .variable
            case .keyPath: .keyPath
            case .binary(.union, _, _): .unionSet
            case .binary(.intersect, _, _): .intersectSet
            case .binary(.minus, _, _): .minusSet
            case .call where expressionContent?.block != nil: .block
            case .member, .binary, .call, .index, .negation, .method, .cast, .fetch, .term, .argument, .error: .function
            case .aggregate: .aggregate
            case .ternary: .conditional
            case .subquery: .subquery
            }
        }

        private var expressionContent: ExpressionContent? { (self as? any ExpressionObject)?.content }

        /// The value of a constant.
        public var constantValue: Any? {
            switch kind {
            case .value(let value): value.anyValue
            case .indexSymbol(let symbol): symbol.rawValue
            default: raise("constantValue")
            }
        }

        /// The key path, with dots.
        public var keyPath: String {
            guard case .keyPath(let keys) = kind else { raise("keyPath") }
            return keys.joined(separator: ".")
        }

        /// The name of a variable, without `$`.
        public var variable: String {
            switch kind {
            case .variable(let name), .assignment(let name, _), .subquery(_, let name, _): name
            default: raise("variable")
            }
        }

        /// The selector of a function. Arithmetic, indices and CAST are also functions, and key paths:
        /// `valueForKeyPath:`.
        public var function: String { call("function").selector }

        /// The expression on which a function is called.
        public var operand: Self { object(call("operand").target) }

        /// The arguments of a function or a block.
        public var arguments: [Self]? {
            if let block = expressionContent?.block { return block.arguments }
            return call("arguments").arguments.map(object)
        }

        /// The expressions of an aggregate, or the collection of a subquery.
        public var collection: Any {
            switch kind {
            case .aggregate(let elements): elements.map(object)
            case .subquery(let collection, _, _): object(collection)
            default: raise("collection")
            }
        }

        /// The predicate of a subquery or of a conditional.
        public var predicate: NSPredicate {
            switch kind {
            case .subquery(_, _, let condition), .ternary(let condition, _, _):
                PredicateObjects.make(BlockFormula(FormatPredicate(condition), formula.blocks))
            default: raise("predicate")
            }
        }

        /// The left operand of a set operator.
        public var left: Self {
            guard case .binary(_, let left, _) = kind else { raise("left") }
            return object(left)
        }

        /// The right operand of a set operator.
        public var right: Self {
            guard case .binary(_, _, let right) = kind else { raise("right") }
            return object(right)
        }

        /// The expression of a conditional whose predicate is true.
        public var `true`: Self {
            guard case .ternary(_, let yes, _) = kind else { raise("true") }
            return object(yes)
        }

        /// The expression of a conditional whose predicate is false.
        public var `false`: Self {
            guard case .ternary(_, _, let no) = kind else { raise("false") }
            return object(no)
        }

        /// The closure of a block expression.
        public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
            guard let block = expressionContent?.block else { raise("expressionBlock") }
            return block.body
        }

        /// Evaluates the expression for an object. `context` has the values of variables.
        ///
        /// Where Apple's implementation raises an exception, this ends the process with the diagnostic.
        public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
            Trap.unlessThrown("expressionValue(with:context:)", instead: "expressionValue(checking:context:)") {
                () throws(PredicateFailure) in
                try expressionValue(checking: object, context: context)
            }
        }

        /// Evaluates the expression for an object. `context` has the values of variables.
        ///
        /// - Throws: `PredicateFailure` where `expressionValue(with:context:)` ends the process: for a missing key,
        ///   operands of the wrong type, or a variable without a value.
        public func expressionValue(
            checking object: Any?, context: NSMutableDictionary? = nil
        ) throws(PredicateFailure) -> Any? {
            var variables: [String: Any] = [:]
            for (key, value) in context ?? [:] { variables["\(key)"] = value }
            return try formula.value(object, variables)
        }

        private func call(_ name: String) -> ExpressionNode.Call {
            // On Apple's platforms, a key path is a call on the object.
            if case .keyPath(let keys) = kind {
                let selector = keys.count == 1 ? "valueForKey:" : ExpressionNode.stepSelector
                return .init(
                    selector: selector, target: ExpressionNode(.selfObject), arguments: [formula.root.root])
            }
            guard let call = formula.root.root.call else { raise(name) }
            return call
        }
    }
#endif
