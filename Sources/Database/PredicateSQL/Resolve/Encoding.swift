// Columns of integers, texts or timestamps that encode decimals or dates. Reading, comparing and writing use the same
// conversions.

/// How a column encodes values as integers. The integer of a text or timestamp is the number of units of its last digits
/// since 1970; that of a Julian day is the index of the double among all doubles.
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

    package func value(_ number: WideInteger) -> PredicateValue {
        switch self {
        case .scaled(let scale): .decimal(DecimalNumber(coefficient: number, exponent: -scale))
        case .dates(.julianDay): .date(Self.seconds(julianDay: Self.double(at: Int64(bitPattern: number.low))))
        case .dates(let storage): .date(storage.seconds(of: Int64(bitPattern: number.low)))
        }
    }

    /// The type of bound values; nil if the engine has the type, such as decimals, and needs no encoding.
    package func type(_ dialect: SQLDialect) -> SQLType? {
        switch self {
        case .scaled: dialect.decimals.areStored ? nil : .integer
        case .dates(.timestamp): .timestamp
        case .dates(.timestampWithZone): .timestampWithZone
        case .dates(.julianDay): .double
        case .dates(let storage): storage.form == nil ? .integer : .text
        }
    }

    /// The integers that a column can hold.
    package func range(_ dialect: SQLDialect) -> ClosedRange<Int64> {
        guard case .dates(let storage) = self else { return .min ... .max }
        if storage == .julianDay {
            let last = Int64(bitPattern: Double.greatestFiniteMagnitude.bitPattern)
            return -last...last
        }
        guard storage.form != nil else { return .min ... .max }
        let scale = storage.ticksPerSecond / 1_000_000
        if scale == 1 { return dialect.timestamps.range }
        let (first, last) = (dialect.timestamps.range.lowerBound, dialect.timestamps.range.upperBound)
        return Int64((Double(first) * scale).rounded(.up))...Int64((Double(last) * scale).rounded(.down))
    }

    /// The value to bind for an integer.
    ///
    /// - Parameter zone: the dialect's suffix of timestamps in UTC.
    package func binding(_ number: Int64, zone: String) -> PredicateValue {
        switch self {
        case .dates(.timestampWithZone): .string(DateStorage.timestampWithZone.text(number) + zone)
        case .dates(.julianDay): .double(Self.double(at: number))
        case .dates(let storage) where storage.form != nil: .string(storage.text(number))
        default: .integer(number)
        }
    }

    // MARK: Julian days

    /// The Julian day 2451910.5 is 2001-01-01 00:00.
    private static func seconds(julianDay day: Double) -> Double { (day - 2_451_910.5) * 86400 }

    /// The double at a position in the order of all doubles; 0 is at 0.
    private static func double(at index: Int64) -> Double {
        let magnitude = Double(bitPattern: index.magnitude)
        return index < 0 ? -magnitude : magnitude
    }

    private static func index(of number: Double) -> Int64 {
        let magnitude = Int64(bitPattern: number.magnitude.bitPattern)
        return number < 0 ? -magnitude : magnitude
    }

    /// The value of a double in the column; nil for another encoding.
    package func value(ofDouble number: Double) -> PredicateValue? {
        guard case .dates(.julianDay) = self, number.isFinite else { return nil }
        return .date(Self.seconds(julianDay: number))
    }

    // MARK: Texts

    /// Whether the column contains the engine's timestamps. An engine without timestamps stores texts.
    package var isTimestamp: Bool { self == .dates(.timestamp) || self == .dates(.timestampWithZone) }

    /// Whether SQLite stores the values as texts, and whether it stores them as doubles.
    package var isText: Bool { if case .dates(let storage) = self { storage.form != nil } else { false } }
    package var isDouble: Bool { self == .dates(.julianDay) }

    /// The date of a text; nil if the text does not have exactly the canonical form.
    package func value(ofText text: String) -> PredicateValue? {
        guard case .dates(let storage) = self, let ticks = storage.ticks(of: text) else { return nil }
        return value(WideInteger(ticks))
    }

    /// The integer for a value; for a date, the nearest tick. nil if there is none, or for a time in a column of days.
    package func stored(_ value: PredicateValue) -> Int64? {
        guard let near = nearest(value) else { return nil }
        return self == .dates(.day) && self.value(WideInteger(near)) != value ? nil : near
    }

    private func nearest(_ value: PredicateValue) -> Int64? {
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
        func place(of number: Int64) -> Int? { try? self.value(WideInteger(number)).order(against: value, for: "<") }
        guard let near = nearest(value), near > range.lowerBound + 1, near < range.upperBound - 1,
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
        if units == 0 { return 0 }
        // The coefficient has no zeros at its end.
        guard number.exponent >= -scale else { return nil }
        for _ in -scale..<number.exponent {
            let (product, overflow) = units.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            units = product
        }
        return Int64(exactly: units)
    }

    private static func ticks(_ seconds: Double, _ storage: DateStorage) -> Int64? {
        let near: Int64
        if storage == .julianDay {
            guard seconds.isFinite else { return nil }
            near = index(of: seconds / 86400 + 2_451_910.5)
        } else {
            let product = ((seconds + 978_307_200) * storage.ticksPerSecond).rounded()
            guard let whole = Int64(exactly: product) else { return nil }
            near = whole
        }
        func error(_ ticks: Int64) -> Double {
            abs(
                (storage == .julianDay ? self.seconds(julianDay: double(at: ticks)) : storage.seconds(of: ticks))
                    - seconds)
        }
        // Because of rounding, an adjacent integer may be nearer.
        let candidates = [near, near == .min ? near : near - 1, near == .max ? near : near + 1]
        return candidates.min { error($0) < error($1) }
    }
}

extension DateStorage {
    /// The form of texts: what separates day and time (empty without a time), the decimals of seconds, and the end. nil
    /// if the column has no texts.
    fileprivate var form: (separator: String, digits: Int, end: String)? {
        switch self {
        case .day: ("", 0, "")
        case .text: (" ", 0, "")
        case .iso8601: ("T", 0, "Z")
        case .iso8601Milliseconds: ("T", 3, "Z")
        case .timestamp, .timestampWithZone: (" ", 6, "")
        case .referenceSeconds, .seconds, .milliseconds, .microseconds, .julianDay: nil
        }
    }

    /// `2024-01-31 13:45:00.000001`
    fileprivate func text(_ ticks: Int64) -> String {
        guard let form else { return "" }
        let perSecond = Int64(max(1, ticksPerSecond))
        var (seconds, rest) = ticks.quotientAndRemainder(dividingBy: perSecond)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + perSecond) }
        if self == .day { seconds *= 86400 }
        let moment = CalendarDate(secondsSince2001: Double(seconds - 978_307_200))?.description ?? ""
        var text = String(moment.prefix(10))
        if form.separator.isEmpty { return text }
        text += form.separator + moment.dropFirst(11).prefix(8)
        if form.digits > 0 { text += "." + String(rest).zeroPadded(to: form.digits) }
        return text + form.end
    }

    /// nil if the text does not have exactly this form.
    fileprivate func ticks(of text: String) -> Int64? {
        guard let form else { return nil }
        let bytes = Array(text.utf8)
        let length = form.separator.isEmpty ? 10 : 19 + (form.digits > 0 ? form.digits + 1 : 0) + form.end.utf8.count
        guard bytes.count == length else { return nil }
        // A character that is not a digit gives a wrong number, and the comparison of texts below fails.
        func number(_ places: Range<Int>) -> Int { bytes[places].reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        var date = CalendarDate(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        if !form.separator.isEmpty {
            (date.hour, date.minute, date.second) = (number(11..<13), number(14..<16), Double(number(17..<19)))
        }
        guard date.year > 0 else { return nil }
        let seconds = Int64(date.secondsSince2001) + 978_307_200
        let fraction = form.digits > 0 ? number(20..<20 + form.digits) : 0
        let ticks = self == .day ? seconds / 86400 : seconds * Int64(ticksPerSecond) + Int64(fraction)
        return self.text(ticks) == text ? ticks : nil
    }
}
