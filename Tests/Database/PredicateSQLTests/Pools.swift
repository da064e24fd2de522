// The pools for random data and constants: difficult values of every type.

import PredicateSQL
import PredicateTestSupport

enum Pools {
    /// All words of the given letters, up to a length.
    static func words(_ letters: [String], upTo length: Int) -> [String] {
        var words = [""]
        var last = words
        for _ in 0..<length {
            last = last.flatMap { word in letters.map { word + $0 } }
            words += last
        }
        return words
    }

    static let texts =
        [
            "", " ", "a", "A", "ab", "abc", "Abc", "a ", " a", "a%c", "a_c", "a\\c", "a*c", "a?c", "'", "\"", "a'b\"c",
            "é", "e\u{301}", "É", "ß", "ss", "SS", "ẞ", "İ", "i", "ı", "K", "k", "ſ", "s", "ﬁ", "fi", "σ", "ς", "Σ",
            "が", "か\u{3099}", "한", "\u{1112}\u{1161}\u{11AB}", "ΐ", "ŉ", "ǆ", "ǅ", "क़", "א\u{5B9}", "\u{FEFF}",
            "a\u{200D}b", "so\u{AD}ft", "\u{301}", "\u{212A}", String(repeating: "xé", count: 150), "👨‍👩‍👧", "🇩🇪",
            "a\0b", "\0", "a\0", "\u{FFFF}", "\u{E000}", "\u{10000}", "\u{10FFFF}", "\u{D7FF}", "a\nb", "a\r\nb",
            "'; DROP TABLE person; --", "?", "$1", "{p1:String}", "2024", "2025", "-1e3", "2024-01-01",
        ] + letters
    /// Parts of letters, letters of several scalars in several forms, and marks without a letter before them.
    private static let letters = [
        "e", "xé", "e\u{301}x", "ế", "é\u{302}", "q\u{308}", "q", "\u{301}e", "각", "가", "\u{1100}\u{1161}", "\u{11A8}",
        "か", "\u{3099}か", "क", "कि", "क\u{93C}", "ﬀ", "f", "ᾴ", "ά", "ι", "e\u{FE0F}", "👍🏽", "👍", "e\u{345}", "\u{CC0}",
    ]
    static let integers: [Int64] = [
        0, 1, -1, 2, 3, 42, 1 << 31, -(1 << 31), 1 << 53, (1 << 53) + 1, .min, .max, .max - 1,
    ]
    static let doubles: [Double] = [
        0, -0.0, 0.1, 0.30000000000000004, 1, 2, 2.5, -2.5, .leastNonzeroMagnitude, 1e300, 0x1p53, 0x1p63, -0x1p63,
        .infinity, -.infinity, 42, 0x1p53 + 2, 1e-300, 0.5,
    ]
    static let dates: [Double] = [0, -0.0, 1.5, 700_000_000.123456, -1e9, 1e-7]
    /// Each value is the double nearest to a microsecond, in a year that every engine supports.
    static let timestamps: [Double] = [
        0, 1.5, 700_000_000.123456, 700_000_000.123457, 1e-6, -1e-6, -1e9, -3_000_000_000.25, 9_000_000_000,
    ]
    static let ids = [UniversalID(high: 0, low: 0), UniversalID(high: 1, low: .max), UniversalID(high: .max, low: 7)]
    static let data: [[UInt8]] = [[], [0], [0, 255], [97]]
    static let urls = ["", "https://a.example/b?c=d", "HTTPS://A.example", "mailto:é@b"]
    static let decimals = ["0", "0.1", "-12.5", "1e20", "42", "1e-10", "12345678901234567890.0123456789"].compactMap {
        DecimalNumber($0)
    }

    static func value(_ type: SQLType, _ random: inout SplitMix) -> PredicateValue {
        switch type {
        case .text: .string(random.pick(texts))
        case .integer, .rowCount: .integer(random.pick(integers))
        case .double: .double(random.pick(doubles))
        case .boolean: .bool(random.chance(50))
        case .date: .date(random.pick(dates))
        case .timestamp, .timestampWithZone: .date(random.pick(timestamps))
        case .data: .data(random.pick(data))
        case .uuid: .uuid(random.pick(ids))
        case .decimal: .decimal(random.pick(decimals))
        case .url: .url(random.pick(urls))
        }
    }
}
