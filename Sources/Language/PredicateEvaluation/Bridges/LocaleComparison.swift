// The option `[l]`: Foundation compares and searches texts by the rules of a locale. It is slow: about 0.5 µs per text.
#if Foundation
    import Foundation
    import PredicateModel
    import PredicateSyntax

    /// Comparison in a locale by Foundation.
    final class LocaleComparison: LocaleRules {
        private let locale: Locale

        /// - Parameter identifier: nil for the current locale.
        init(identifier: String?) { locale = identifier.map(Locale.init(identifier:)) ?? .current }

        func compare(_ left: String, _ right: String, _ options: ComparisonOptions) -> Int {
            compare(left, right, Self.foundation(options))
        }

        func compareStandard(_ left: String, _ right: String) -> Int {
            compare(left, right, [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering])
        }

        private func compare(_ left: String, _ right: String, _ options: NSString.CompareOptions) -> Int {
            let whole = NSRange(location: 0, length: left.utf16.count)
            return (left as NSString).compare(right, options: options, range: whole, locale: locale).rawValue
        }

        func find(_ needle: String, in text: String, at place: TextPlace, _ options: ComparisonOptions) -> Bool {
            var search = Self.foundation(options)
            switch place {
            case .prefix: search.formUnion(.anchored)
            case .suffix: search.formUnion([.anchored, .backwards])
            case .anywhere: break
            }
            let whole = NSRange(location: 0, length: text.utf16.count)
            return (text as NSString).range(of: needle, options: search, range: whole, locale: locale).location
                != NSNotFound
        }

        private static func foundation(_ options: ComparisonOptions) -> NSString.CompareOptions {
            var result: NSString.CompareOptions = []
            if options.contains(.caseInsensitive) { result.insert(.caseInsensitive) }
            if options.contains(.diacriticInsensitive) { result.insert(.diacriticInsensitive) }
            return result
        }
    }
#endif
