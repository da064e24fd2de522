// Columns of integers that stand for decimals and dates: both ways, so that what is read, compared and written is the same.
package import PredicateModel
package import PredicateSyntax

/// What a column's integers stand for.
package enum Encoding: Hashable, Sendable {
    /// Decimals, in units of 10^-scale.
    case scaled(Int)
    /// Dates.
    case dates(DateStorage)

    package init?(_ attribute: Attribute) {
        if let scale = attribute.scale {
            self = .scaled(scale)
        } else if attribute.dateStorage != .referenceSeconds {
            self = .dates(attribute.dateStorage)
        } else {
            return nil
        }
    }

    package func value(_ number: Int128) -> Value {
        switch self {
        case .scaled(let scale): .decimal(DecimalNumber(coefficient: number, exponent: -scale))
        case .dates(let storage): .date(storage.seconds(of: Int64(truncatingIfNeeded: number)))
        }
    }

    /// Whether the engine has integers in such columns; one that stores decimals has decimals.
    func isUsed(_ dialect: Dialect) -> Bool {
        if case .scaled = self { return !dialect.storesDecimals }
        return true
    }

    /// The integer for a value: that of the nearest tick for a date. nil: there is none.
    package func stored(_ value: Value) -> Int64? {
        switch (self, value) {
        case (.scaled(let scale), .decimal(let number)): Self.units(number, scale)
        case (.scaled(let scale), .integer(let number)): Self.units(DecimalNumber(number), scale)
        case (.dates(let storage), .date(let seconds)): Self.ticks(seconds, storage)
        default: nil
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
        // Of two neighbours the rounded product may be the farther one.
        let perSecond = 1 / (storage.seconds(of: 1) - storage.seconds(of: 0))
        let product = ((seconds + 978_307_200) * perSecond.rounded()).rounded()
        guard let near = Int64(exactly: product) else { return nil }
        let candidates = [near, near == .min ? near : near - 1, near == .max ? near : near + 1]
        return candidates.min { abs(storage.seconds(of: $0) - seconds) < abs(storage.seconds(of: $1) - seconds) }
    }
}
