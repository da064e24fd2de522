// Determines which values an attribute can hold, for defaults and migrations.

extension PredicateSchema.Attribute {
    /// The value converted to the attribute's type; nil if it does not fit. The value nil fits, even if the attribute
    /// is not optional.
    ///
    ///     Attribute("price", .decimal).converted(.integer(3))    // the decimal 3
    ///
    /// - Parameter toText: whether numbers, identifiers and URLs become texts for a text attribute.
    package func converted(_ value: PredicateValue, toText: Bool = false) -> PredicateValue? {
        guard let found = type.converted(value, toText: toText) else { return nil }
        if case .integer(let number) = found, let range, type == .integer, !range.contains(number) { return nil }
        if case .double(let number) = found, number.isNaN, !allowsNaN { return nil }
        return found
    }

    /// The value for a new object or a change, converted to the attribute's type; nil if it does not fit. Insertions,
    /// updates and imports use it.
    ///
    /// A text becomes a date (ISO 8601), data (Base64), a UUID, a URL or a decimal, because JSON has no such values. A
    /// number becomes another kind of number if that is exact, and never a text or a date.
    package func assigned(_ value: PredicateValue) -> PredicateValue? {
        guard let found = type.assigned(value), known?.allows(found) ?? true else { return nil }
        switch found {
        case .integer(let number): return type == .integer && range?.contains(number) == false ? nil : found
        case .double(let number): return number.isNaN && !allowsNaN ? nil : found
        case .date(let seconds): return seconds.isNaN ? nil : found
        // A column of type `any` stores single values.
        case .array, .set: return type == .any ? nil : found
        case .dictionary, .object, .type: return nil
        default: return found
        }
    }

    /// The Swift type that cannot represent a value of the attribute's type; nil for other values.
    package func swiftType(refusing value: PredicateValue) -> String? {
        type.assigned(value).flatMap { swiftValues?.contains($0) == false ? swiftValues?.type : nil }
    }

    /// Whether the attribute can hold the value without conversion.
    func holds(_ value: PredicateValue) -> Bool {
        value.isNil ? isOptional : converted(value) == value && known?.allows(value) ?? true
    }

    /// The cases in words if a value of the attribute's type is none of them: `"clubs", "hearts"`; else nil.
    package func cases(refusing value: PredicateValue) -> String? {
        type.assigned(value).flatMap { known?.isCase($0) ?? true ? nil : PredicateSchema.shown(cases) }
    }

    /// The attribute's type, or that of the elements of its lists: the type of its cases.
    package var caseType: ExpressionType.Kind { ExpressionType(type).element?.kind ?? type }
}

extension PredicateSchema {
    static func shown(_ cases: [PredicateValue]) -> String {
        cases.prefix(8).map { ExpressionNode(.value($0)).description }.joined(separator: ", ")
            + (cases.count > 8 ? " …" : "")
    }

    /// What is known about the values of a key besides their type. An object, because most keys have none, and are copied
    /// often.
    final class KnownValues: Sendable, Equatable {
        /// The only values, or elements of lists; empty if they are not known.
        let cases: [PredicateValue]
        let isNeverEmpty: Bool
        let swiftValues: SwiftValues?

        /// nil if nothing is known.
        init?(cases: [PredicateValue], _ isNeverEmpty: Bool, _ swiftValues: SwiftValues?) {
            if cases.isEmpty, !isNeverEmpty, swiftValues == nil { return nil }
            (self.cases, self.isNeverEmpty, self.swiftValues) = (cases, isNeverEmpty, swiftValues)
        }

        func isCase(_ value: PredicateValue) -> Bool {
            cases.isEmpty || (value.elements ?? [value]).allSatisfy { cases.contains($0) }
        }

        func allows(_ value: PredicateValue) -> Bool { swiftValues?.contains(value) != false && isCase(value) }

        static func == (left: KnownValues, right: KnownValues) -> Bool {
            left.cases == right.cases && left.isNeverEmpty == right.isNeverEmpty
                && left.swiftValues == right.swiftValues
        }
    }

    /// The values that a Swift type can represent, such as those of an enum with raw values.
    package final class SwiftValues: Sendable, Equatable {
        let type: String
        let contains: @Sendable (PredicateValue) -> Bool

        package init(of type: String, _ contains: @escaping @Sendable (PredicateValue) -> Bool) {
            (self.type, self.contains) = (type, contains)
        }

        package static func == (left: SwiftValues, right: SwiftValues) -> Bool { left.type == right.type }
    }
}

extension ExpressionType.Kind {
    /// The name for messages, as in a schema file.
    package var nameForMessages: String { Self.named.first { $0.type == self }?.name ?? "list" }

    /// The type with that of its elements: `integer`, `list of string`.
    package var shown: String {
        switch self {
        case .collection(.set, let element): "set of " + element.kind.shown
        case .collection(.dictionary, let element): "dictionary of " + element.kind.shown
        case .collection(_, let element): element.kind == .any ? "list" : "list of " + element.kind.shown
        default: Self.named.first { $0.type == self }?.name ?? "any"
        }
    }

    fileprivate func assigned(_ value: PredicateValue) -> PredicateValue? {
        switch (self, value) {
        case (.date, .integer), (.date, .double), (.url, .string("")): nil
        case (.date, .string(let text)): CalendarDate.seconds(iso8601: text).map { .date($0) }
        case (.data, .string(let text)): Base64.bytes(text).map { .data($0) }
        // A database may have no other columns for these values.
        case (.double, .date(let seconds)): .double(seconds)
        case (.string, .date(let seconds)): CalendarDate.iso8601(seconds).map { .string($0) }
        case (.string, .uuid), (.string, .url): converted(value, toText: true)
        case (.any, _): value
        case (.collection(_, let element), .array(let elements)), (.collection(_, let element), .set(let elements)):
            Self.all(elements.map { element.kind.assigned($0) })
        default: converted(value, toText: false)
        }
    }

    fileprivate func converted(_ value: PredicateValue, toText: Bool) -> PredicateValue? {
        switch (self, value) {
        case (_, .null), (_, .nsNull): .null
        case (_, .type), (_, .object), (_, .dictionary): nil
        case (.boolean, .bool), (.integer, .integer), (.double, .double), (.decimal, .decimal), (.string, .string),
            (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url), (.any, _):
            value
        case (.boolean, .integer(let number)): number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.integer, .bool(let flag)): .integer(flag ? 1 : 0)
        case (.integer, .double(let number)): Int64(exactly: number).map { .integer($0) }
        case (.integer, .decimal(let number)): Int64("\(number)").map { .integer($0) }
        case (.double, .integer(let number)): Double(exactly: number).map { .double($0) }
        case (.double, .float(let number)): .double(Double(number))
        case (.double, .decimal(let number)): number.doubleValue.isFinite ? .double(number.doubleValue) : nil
        case (.decimal, .integer(let number)): .decimal(DecimalNumber(number))
        case (.decimal, .double(let number)): DecimalNumber("\(number)").map { .decimal($0) }
        case (.decimal, .string(let text)): DecimalNumber(text).map { .decimal($0) }
        // A schema file has no dates.
        case (.date, .double(let number)): .date(number)
        case (.date, .integer(let number)): .date(Double(number))
        case (.uuid, .string(let text)): UniversalID(text).map { .uuid($0) }
        case (.url, .string(let text)): .url(text)
        case (.string, .integer), (.string, .double), (.string, .decimal), (.string, .uuid), (.string, .url):
            toText ? .string(value.stringValue ?? Self.text(value)) : nil
        case (.collection(.list, let element), .array(let elements)),
            (.collection(.list, let element), .set(let elements)):
            Self.all(elements.map { element.kind.converted($0, toText: false) })
        default: nil
        }
    }

    private static func text(_ value: PredicateValue) -> String {
        if case .uuid(let id) = value { id.description } else { value.description }
    }

    private static func all(_ values: [PredicateValue?]) -> PredicateValue? {
        let found = values.compactMap { $0 }
        return found.count == values.count ? .array(found) : nil
    }
}
