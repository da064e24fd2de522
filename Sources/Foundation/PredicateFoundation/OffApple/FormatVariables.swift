// Reads C variable arguments. Swift has no `va_arg`, but C's `printf` reads each argument according to its conversion.
// So it prints numbers and addresses as text, and the text is parsed.
#if !canImport(ObjectiveC)
    import Foundation

    enum FormatVariables {
        /// The arguments for the conversions of a format.
        static func read(_ list: CVaListPointer, for format: String) -> [Any?] {
            let found = PredicateTree.predicate(FormatPredicate.parse(format).tree).values { node in
                if case .argument(let conversion) = node.kind { conversion } else { nil }
            }
            let conversions = found.sorted { $0.position < $1.position }
            let texts = print(conversions.map(Self.directive).joined(separator: "\n"), list)
                .split(separator: "\n", omittingEmptySubsequences: false)
            return zip(conversions, texts).map { object($0, String($1)) }
        }

        private static func directive(_ conversion: FormatConversion) -> String {
            switch conversion.kind {
            case .object, .keyPath: "%p"
            case .integer: conversion.spelling
            case .floatingPoint: "%a"
            }
        }

        private static func print(_ format: String, _ list: CVaListPointer) -> String {
            let size = 64 * (format.utf8.count + 1)
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
                guard let text = buffer.baseAddress else { return "" }
                vsnprintf(text, size, format, list)
                return String(cString: text)
            }
        }

        private static func object(_ conversion: FormatConversion, _ text: String) -> Any? {
            switch conversion.kind {
            case .object, .keyPath:
                // nil prints as (nil), 0x0 or zeros.
                let digits = text.hasPrefix("0x") ? String(text.dropFirst(2)) : text
                guard let address = UInt(digits, radix: 16), let pointer = UnsafeRawPointer(bitPattern: address) else {
                    return nil
                }
                return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
            case .integer:
                let radix = conversion.spelling.hasSuffix("x") || conversion.spelling.hasSuffix("X") ? 16 : 10
                return Int64(text, radix: conversion.spelling.hasSuffix("o") ? 8 : radix)
            case .floatingPoint: return Double(text)
            }
        }
    }
#endif
