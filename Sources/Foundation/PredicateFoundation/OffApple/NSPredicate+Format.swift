// The parts of NSPredicate that Foundation implements only on Apple's platforms: formats and variables.
#if !canImport(ObjectiveC)
    public import Foundation

    extension ObjectFactory where Self: NSPredicate {
        /// Parses a format string. An argument for `%@` is an object, a value or an NSExpression.
        ///
        ///     NSPredicate(format: "age >= %d AND name BEGINSWITH[cd] %@", 21, "é")
        ///
        /// If the format is invalid, ends the process with the diagnostic; Apple's implementation raises an exception.
        /// `init(checking:)` throws instead.
        public init(format: String, _ arguments: Any?...) { self.init(format, arguments, countsArguments: false) }

        /// Parses a format string with its arguments in an array.
        public init(format: String, argumentArray: [Any]?) {
            self.init(format, argumentArray ?? [], countsArguments: true)
        }

        /// Parses a format string with C variable arguments.
        public init(format: String, arguments: CVaListPointer) {
            self.init(format, FormatVariables.read(arguments, for: format), countsArguments: false)
        }

        /// Parses a format string that may be invalid, such as one from a file of the app.
        ///
        ///     let predicate = try NSPredicate(checking: "age >= %@", 21)
        ///
        /// Like a format in source code, it may read the stored properties of objects without a key table. For the text
        /// of a user write `try NSPredicate(FormatPredicate(text: text))`, which reads published keys only.
        ///
        /// - Throws: `PredicateFailure` with every error, as `FormatPredicate(_:_:)` does, or if a subclass of
        ///   NSPredicate has no object with this format: `NSComparisonPredicate(checking: "a == 1 OR b == 1")`.
        public init(checking format: String, _ arguments: Any?...) throws(PredicateFailure) {
            try self.init(checking: format, argumentArray: arguments as [Any])
        }

        /// Parses a format string that may be invalid, with its arguments in an array.
        ///
        /// - Throws: the same errors as `init(checking:_:)`.
        public init(checking format: String, argumentArray: [Any]) throws(PredicateFailure) {
            let formula = try BlockFormula<FormatPredicate>.parse(format, argumentArray)
            guard let object = Self.instance(PredicateObjects.make(formula)) else {
                throw PredicateFailure(
                    PredicateDiagnostic(.operandType, at: .none, "\(Self.self)", "this format", "create an NSPredicate")
                )
            }
            self = object
        }

        /// Converts a predicate to an NSPredicate object.
        ///
        ///     try ([["age": 30]] as NSArray).filtered(using: NSPredicate(FormatPredicate("age > 21")))
        ///
        /// Because a FormatPredicate may be the text of a user, it reads published keys and dictionaries only, never the
        /// stored properties of other objects.
        ///
        /// - Throws: `PredicateConversionError` for a predicate with an error, with a conversion that has no argument,
        ///   or that is no object of this class. On Apple's platforms, also for parts that Apple's parser does not
        ///   support.
        public init(_ predicate: FormatPredicate) throws(PredicateConversionError) {
            if predicate.root.hasGaps { throw PredicateConversionError([], "'\(predicate)' is not complete") }
            guard let object = Self.instance(PredicateObjects.make(BlockFormula(predicate, .published))) else {
                throw PredicateConversionError([], "'\(predicate)' is not a \(Self.self)")
            }
            self = object
        }

        /// Converts a predicate of the macro `#Predicate` for a published type; nil if it has no format. To get the
        /// reason, use `FormatPredicate(_:)`.
        ///
        ///     NSPredicate(#Predicate<Book> { $0.price < 10 })
        public init?<Root: Queryable>(_ predicate: Foundation.Predicate<Root>) {
            guard let format = try? FormatPredicate(predicate), let object = try? Self(format) else { return nil }
            self = object
        }

        private init(_ format: String, _ arguments: [Any?], countsArguments: Bool) {
            let formula = Trap.unlessThrown(
                "NSPredicate(format:)", instead: "NSPredicate(checking:)", countsArguments: countsArguments
            ) {
                () throws(PredicateFailure) in try BlockFormula<FormatPredicate>.parse(format, arguments)
            }
            self = Self.made(PredicateObjects.make(formula), by: "NSPredicate(format:)")
        }

        /// The predicate with its variables replaced by values. Blocks have no variables and are kept.
        ///
        /// If a variable has no value, ends the process, as on Apple's platforms.
        public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
            let predicate = Trap.unlessThrown(
                "withSubstitutionVariables(_:)", instead: "FormatPredicate.substituting(_:)"
            ) { () throws(PredicateFailure) in
                try (self as NSPredicate).substituting(HostValue.variables(variables))
            }
            return Self.made(predicate, by: "withSubstitutionVariables(_:)")
        }
    }

    extension NSPredicate {
        /// A compound stays a compound, also with one part or none.
        fileprivate func substituting(_ variables: PredicateVariables) throws(PredicateFailure) -> NSPredicate {
            if let compound = self as? NSCompoundPredicate {
                var parts: [NSPredicate] = []
                for part in compound.subpredicates { parts.append(try part.substituting(variables)) }
                return CompoundPredicate(type: compound.compoundPredicateType, subpredicates: parts)
            }
            guard let formula = ownRuntime?.formula else { return self }
            return PredicateObjects.make(BlockFormula(try formula.root.substituting(variables), formula.blocks))
        }

        /// The format of this object; nil for a constant, a block, and a compound of these.
        private var ownRuntime: PredicateRuntime? {
            (self as? any PredicateObject)?.runtime ?? SubclassObjects.runtime(of: self)
        }
    }

    extension NSPredicate {
        /// Returns whether an object of a published class matches; the result is that of `evaluate(with:)` for any
        /// object.
        ///
        ///     let isAdult = NSPredicate(format: "age >= 21")
        ///     models.filter { isAdult.evaluate(with: $0) }
        ///
        /// The compiler prefers this overload if the class is known. It does not wrap the object in an `Any`, which
        /// would cost reference counting.
        public func evaluate<Object: AnyObject & Queryable>(with object: Object) -> Bool {
            PredicateObjects.known(self, object) ?? evaluate(with: object as Any?)
        }

        /// Returns whether an object matches.
        ///
        ///     let isAdult = try NSPredicate(format: "age >= 21").evaluate(checking: person)
        ///
        /// - Throws: `PredicateFailure` where `evaluate(with:)` ends the process: for a missing key, operands of the
        ///   wrong type, or a variable without a value.
        public func evaluate(
            checking object: Any?, substitutionVariables: [String: Any]? = nil
        ) throws(PredicateFailure) -> Bool {
            if let runtime = ownRuntime {
                return try runtime.test(object, variables: substitutionVariables)
            }
            guard let compound = self as? NSCompoundPredicate else {
                return evaluate(with: object, substitutionVariables: substitutionVariables)
            }
            let decisive = compound.compoundPredicateType == .or
            for part in compound.subpredicates {
                let answer = try part.evaluate(checking: object, substitutionVariables: substitutionVariables)
                if compound.compoundPredicateType == .not { return !answer }
                if answer == decisive { return decisive }
            }
            return !decisive
        }

        /// Whether two predicates are equal, compared part by part. Foundation's own comparison treats all compounds as
        /// equal.
        public static func == (left: NSPredicate, right: NSPredicate) -> Bool {
            left === right || BlockFormula.predicate(left).root == BlockFormula.predicate(right).root
        }

        /// Whether two predicates differ.
        public static func != (left: NSPredicate, right: NSPredicate) -> Bool { !(left == right) }
    }

    extension BlockFormula<FormatPredicate> {
        /// Parses a format with any objects as arguments. Surplus arguments are ignored, as on Apple's platforms.
        static func parse(_ format: String, _ objects: [Any?]) throws(PredicateFailure) -> BlockFormula {
            let arguments = try Arguments(objects)
            let parsed = FormatPredicate.parse(format, arguments: .bound(arguments.values))
            guard parsed.diagnostics.contains(where: { $0.id == .surplusArgument }) else {
                return try BlockFormula(FormatPredicate(parsed), arguments.blocks).checked()
            }
            let used = FormatPredicate.parse(format).tree.conversions
            let enough = FormatPredicate.parse(format, arguments: .bound(Array(arguments.values.prefix(used))))
            return try BlockFormula(FormatPredicate(enough), arguments.blocks).checked()
        }
    }

    /// The arguments of a format, and the blocks that they contain.
    struct Arguments {
        private(set) var values: [FormatArgument] = []
        private(set) var blocks = Blocks()

        init(_ objects: [Any?]) throws(PredicateFailure) {
            for object in objects {
                if let expression = HostValue.reference(object, as: ExpressionClass.self) {
                    blocks = blocks + BlockFormula.expression(expression).blocks
                }
                values.append(try HostValue.argument(object))
            }
        }
    }

    extension PredicateNode {
        /// Whether the tree contains an error, or a conversion without an argument.
        var hasGaps: Bool {
            var hasError = false
            PredicateWalker(
                predicate: { if case .error = $0.kind { hasError = true } },
                expression: { if case .error = $0.kind { hasError = true } }
            ).walk(self)
            return hasError || conversions > 0
        }

        /// The number of conversions in the format.
        var conversions: Int {
            var count = 0
            PredicateWalker(expression: { if case .argument = $0.kind { count += 1 } }).walk(self)
            return count
        }
    }
#endif
