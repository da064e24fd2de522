// Columns of integers or timestamps that encode decimals or dates. Reading, comparing and writing use the same
// conversions.
package import PredicateModel
package import PredicateSyntax

/// How a column encodes values as integers. The integer of a timestamp is its microseconds since 1970.
package enum Encoding: Hashable, Sendable {
    /// Decimals in units of 10^-scale.
    case scaled(Int)
    /// Dates in the given storage form.
    case dates(DateStorage)

    package init?(_ attribute: PredicateSchema.Attribute) {
        if let scale = attribute.scale {
            self = .scaled(scale)
        } else if attribute.dateStorage != .referenceSeconds {
            self = .dates(attribute.dateStorage)
        } else {
            return nil
        }
    }

    package func value(_ number: Int128) -> PredicateValue {
        switch self {
        case .scaled(let scale): .decimal(DecimalNumber(coefficient: number, exponent: -scale))
        case .dates(let storage): .date(storage.seconds(of: Int64(truncatingIfNeeded: number)))
        }
    }

    /// The type of bound values; nil if the engine has the type, such as decimals, and needs no encoding.
    func type(_ dialect: SQLDialect) -> SQLType? {
        switch self {
        case .scaled: dialect.decimals.areStored ? nil : .integer
        case .dates(.timestamp): .timestamp
        case .dates(.timestampWithZone): .timestampWithZone
        case .dates: .integer
        }
    }

    /// The value to bind for an integer.
    ///
    /// - Parameter zone: the dialect's suffix of timestamps in UTC.
    func binding(_ number: Int64, zone: String) -> PredicateValue {
        switch self {
        case .dates(.timestamp): .string(Self.timestamp(number))
        case .dates(.timestampWithZone): .string(Self.timestamp(number) + zone)
        default: .integer(number)
        }
    }

    /// `2024-01-31 13:45:00.000001`
    private static func timestamp(_ microseconds: Int64) -> String {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let isBelow = rest < 0
        let whole = Double(seconds - 978_307_200 - (isBelow ? 1 : 0))
        let digits = String(isBelow ? rest + 1_000_000 : rest)
        let moment = CalendarDate(secondsSince2001: whole)?.description.dropLast(" +0000".count) ?? ""
        return "\(moment).\(String(repeating: "0", count: 6 - digits.count))\(digits)"
    }

    /// Whether the column contains timestamps. An engine without timestamps stores texts.
    package var isTimestamp: Bool {
        switch self {
        case .dates(.timestamp), .dates(.timestampWithZone): true
        default: false
        }
    }

    /// The date of a timestamp's text; nil if the text does not have exactly the canonical form.
    package func value(ofText text: String) -> PredicateValue? {
        let bytes = Array(text.utf8)
        guard isTimestamp, bytes.count == 26 else { return nil }
        // A character that is not a digit gives a wrong number, and the comparison of texts below fails.
        func number(_ places: Range<Int>) -> Int { bytes[places].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        let whole = CalendarDate(
            year: number(0..<4), month: number(5..<7), day: number(8..<10), hour: number(11..<13),
            minute: number(14..<16), second: Double(number(17..<19)))
        let microseconds = (Int64(whole.secondsSince2001) + 978_307_200) * 1_000_000 + Int64(number(20..<26))
        guard whole.year > 0, Self.timestamp(microseconds) == text else { return nil }
        return value(Int128(microseconds))
    }

    /// The integer for a value; for a date, the nearest tick. nil if there is none.
    package func stored(_ value: PredicateValue) -> Int64? {
        switch (self, value) {
        case (.scaled(let scale), .decimal(let number)): Self.units(number, scale)
        case (.scaled(let scale), .integer(let number)): Self.units(DecimalNumber(number), scale)
        case (.dates(let storage), .date(let seconds)): Self.ticks(seconds, storage)
        default: nil
        }
    }

    /// The last or the first integer whose value fulfils the comparison: for `< 1.5`, the last tick before it. nil if
    /// there is none in the range, or if adjacent integers have equal values.
    func bound(_ order: Order, _ value: PredicateValue, in range: ClosedRange<Int64>) -> Int64? {
        func place(of number: Int64) -> Int? { try? self.value(Int128(number)).order(against: value, for: "<") }
        guard let near = stored(value), near > range.lowerBound + 1, near < range.upperBound - 1,
            let before = place(of: near - 1), let here = place(of: near), let after = place(of: near + 1), before < 0,
            after > 0
        else { return nil }
        switch order {
        case .equal: return here == 0 ? near : nil
        case .different: return nil
        case .less: return here < 0 ? near : near - 1
        case .lessOrEqual: return here <= 0 ? near : near - 1
        case .greater: return here > 0 ? near : near + 1
        case .greaterOrEqual: return here >= 0 ? near : near + 1
        }
    }

    private static func units(_ number: DecimalNumber, _ scale: Int) -> Int64? {
        var units = number.coefficient
        var exponent = number.exponent + scale
        if units == 0 { return 0 }
        while exponent < 0 {
            guard units % 10 == 0 else { return nil }
            units /= 10
            exponent += 1
        }
        while exponent > 0 {
            let (product, overflow) = units.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            units = product
            exponent -= 1
        }
        return Int64(exactly: units)
    }

    private static func ticks(_ seconds: Double, _ storage: DateStorage) -> Int64? {
        // Because of rounding, an adjacent integer may be nearer.
        let product = ((seconds + 978_307_200) * storage.ticksPerSecond).rounded()
        guard let near = Int64(exactly: product) else { return nil }
        let candidates = [near, near == .min ? near : near - 1, near == .max ? near : near + 1]
        return candidates.min { abs(storage.seconds(of: $0) - seconds) < abs(storage.seconds(of: $1) - seconds) }
    }
}
