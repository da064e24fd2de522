// Writes predicates into Swift and Objective-C sources, in every form of literal with random indentation and
// comments, and records the place of each byte. Independent of the scanners under test.

import Foundation
import PredicateTestSupport

/// Writes one source file.
struct LiteralWriter {
    enum Form: CaseIterable {
        case swiftPlain, swiftScalars, swiftRaw, swiftMultiline, swiftRawMultiline, swiftConcatenated
        case cPlain, cAdjacent, cCodes

        var isSwift: Bool {
            switch self {
            case .cPlain, .cAdjacent, .cCodes: false
            default: true
            }
        }
    }

    /// A predicate and the places of its bytes.
    struct Written {
        let text: String
        let isExpression: Bool
        let form: Form
        /// The file offset of each byte, and of the end of the text.
        var offsets: [Int] = []
        var end = 0
    }

    private(set) var source: [UInt8] = []
    private(set) var written: [Written] = []
    private var random: SplitMix
    private let isSwift: Bool

    init(isSwift: Bool, seed: UInt64) {
        self.isSwift = isSwift
        random = SplitMix(seed)
        put(isSwift ? "import Foundation\n" : "#import <Foundation/Foundation.h>\n#define DECOY @\"decoy ==\n")
    }

    mutating func put(_ text: String) { source += text.utf8 }

    /// Adds a statement with a predicate, in a suitable form.
    mutating func add(_ text: String, isExpression: Bool, arguments: Int?) {
        var form = Form.allCases.filter { $0.isSwift == isSwift }.randomElement(using: &random) ?? .swiftPlain
        if !Self.canHold(text, form) { form = isSwift ? .swiftPlain : .cPlain }
        noise()
        var entry = Written(text: text, isExpression: isExpression, form: form)
        let values = arguments.map { (0..<$0).map { ", value\($0)" }.joined() } ?? ""
        if isSwift {
            let gap = ["", "\n    ", " /* \" */ ", " // it's\n"].randomElement(using: &random) ?? ""
            put("let p = \(isExpression ? "NSExpression" : "NSPredicate")(\(gap)format: \(gap)")
            literal(&entry)
            put(arguments == nil ? ", argumentArray: values)\n" : values + ")\n")
        } else {
            put("id p = [\(isExpression ? "NSExpression expression" : "NSPredicate predicate")WithFormat:")
            literal(&entry)
            put(arguments == nil ? " argumentArray:values];\n" : values + "];\n")
        }
        written.append(entry)
    }

    /// Adds code that a scanner must skip.
    private mutating func noise() {
        let indent = String(
            repeating: [" ", "\t"].randomElement(using: &random) ?? " ", count: .random(in: 0...12, using: &random))
        let swift = [
            "// NSPredicate(format: \"decoy ==\")\n", "/* /* NSPredicate(format: \"decoy ==\") */ */\n",
            "let s = \"NSPredicate(format: \\\"decoy ==\\\")\"\n", "let r = #\"NSPredicate(format: \"decoy ==\")\"#\n",
            "let e = \"é\u{1F600}\"; ", "let x = a / b / c\n", "let q = /\"/\n", "",
        ]
        let objectiveC = [
            "// [NSPredicate predicateWithFormat:@\"decoy ==\"]\n",
            "/* @\" [NSPredicate predicateWithFormat:@\"decoy ==\"] */\n",
            "NSString *s = @\"[NSPredicate predicateWithFormat:@\\\"decoy ==\\\"]\";\n", "char c = '\"'; ",
            "#define X(a) [NSString stringWithFormat:@\"decoy ==\" \\\n  ]\n", "NSString *e = @\"é\u{1F600}\"; ", "",
        ]
        let line = (isSwift ? swift : objectiveC).randomElement(using: &random) ?? ""
        put(line.hasPrefix("#") ? "\n" + line : indent + line)
    }

    static func canHold(_ text: String, _ form: Form) -> Bool {
        let hasControls = text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" && $0 != "\t" }
        switch form {
        case .swiftRaw: return !hasControls && !text.contains("\n") && !text.hasPrefix("\"") && !text.isEmpty
        case .swiftMultiline, .swiftRawMultiline: return !hasControls && !text.isEmpty
        case .swiftConcatenated, .cAdjacent: return text.unicodeScalars.count > 1
        default: return true
        }
    }

    // MARK: Forms

    private mutating func literal(_ entry: inout Written) {
        switch entry.form {
        case .swiftPlain, .swiftScalars:
            put("\"")
            pieces(entry.text, &entry, scalarsPlain: entry.form == .swiftPlain)
            put("\"")
        case .swiftRaw:
            let signs = signs(around: entry.text)
            put(signs + "\"")
            verbatim(entry.text, &entry)
            put("\"" + signs)
        case .swiftMultiline, .swiftRawMultiline: lines(&entry)
        case .swiftConcatenated:
            for (index, part) in parts(entry.text).enumerated() {
                if index > 0 { put([" + ", "\n    + ", " /* + */ + // \"\n  "].randomElement(using: &random) ?? "") }
                put("\"")
                pieces(part, &entry, scalarsPlain: true)
                put("\"")
            }
        case .cPlain, .cCodes:
            put("@\"")
            codes(entry.text, &entry, plain: entry.form == .cPlain)
            put("\"")
        case .cAdjacent:
            for (index, part) in parts(entry.text).enumerated() {
                if index > 0 { put(["", " ", "\n\t", " /* \" */ "].randomElement(using: &random) ?? "") }
                put(index == 0 || Bool.random(using: &random) ? "@\"" : "\"")
                codes(part, &entry, plain: true)
                put("\"")
            }
        }
        if entry.text.isEmpty { entry.end = source.count - 1 }
    }

    /// Splits into one to four non-empty parts.
    private mutating func parts(_ text: String) -> [String] {
        let scalars = Array(text.unicodeScalars)
        let cuts = Set(
            (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 1..<scalars.count, using: &random) })
        var parts: [String] = []
        var start = 0
        for cut in cuts.sorted() + [scalars.count] {
            parts.append(String(String.UnicodeScalarView(scalars[start..<cut])))
            start = cut
        }
        return parts
    }

    /// Writes a scalar in the given spelling.
    private mutating func put(_ scalar: Unicode.Scalar, as spelling: String, _ entry: inout Written) {
        let start = source.count
        put(spelling)
        let isVerbatim = spelling.unicodeScalars.elementsEqual([scalar])
        for index in 0..<String(scalar).utf8.count { entry.offsets.append(isVerbatim ? start + index : start) }
        entry.end = source.count
    }

    private mutating func verbatim(_ text: String, _ entry: inout Written) {
        for scalar in text.unicodeScalars { put(scalar, as: String(scalar), &entry) }
    }

    private mutating func pieces(_ text: String, _ entry: inout Written, scalarsPlain: Bool) {
        for scalar in text.unicodeScalars {
            put(scalar, as: swiftSpelling(scalar, isPlain: scalarsPlain), &entry)
        }
    }

    private static let escapes: [Unicode.Scalar: String] = [
        "\\": "\\\\", "\"": "\\\"", "\n": "\\n", "\t": "\\t", "\r": "\\r",
    ]

    private mutating func swiftSpelling(_ scalar: Unicode.Scalar, isPlain: Bool) -> String {
        if let escape = scalar == "\0" ? "\\0" : Self.escapes[scalar] { return escape }
        let isCoded = scalar.value < 32 || !isPlain && Int.random(in: 0..<6, using: &random) == 0
        return isCoded ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
    }

    /// Enough number signs for a raw literal of the text.
    private mutating func signs(around text: String) -> String {
        var signs = "#"
        while text.contains("\"" + signs) || text.contains("\\" + signs) { signs += "#" }
        return signs + (Bool.random(using: &random) ? "#" : "")
    }

    private mutating func lines(_ entry: inout Written) {
        let indent = String(repeating: " ", count: .random(in: 0...9, using: &random))
        let isRaw = entry.form == .swiftRawMultiline
        let signs = isRaw ? signs(around: entry.text) : ""
        put(signs + "\"\"\"\n")
        var isLineStart = true
        for scalar in entry.text.unicodeScalars {
            if scalar == "\n" {
                put(scalar, as: "\n", &entry)
                isLineStart = true
                continue
            }
            if isLineStart { put(indent) }
            isLineStart = false
            if !isRaw, scalar == " ", Int.random(in: 0..<12, using: &random) == 0 {
                put("\\\n" + indent)  // a line that continues
            }
            let mustEscape = !isRaw && (scalar == "\\" || scalar == "\"")
            put(scalar, as: mustEscape ? "\\" + String(scalar) : String(scalar), &entry)
        }
        put("\n" + indent + "\"\"\"" + signs)
    }

    private mutating func codes(_ text: String, _ entry: inout Written, plain: Bool) {
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? Character(scalars[index + 1]) : " "
            put(scalar, as: cSpelling(scalar, before: next, isPlain: plain), &entry)
        }
    }

    private mutating func cSpelling(_ scalar: Unicode.Scalar, before next: Character, isPlain: Bool) -> String {
        if let escape = Self.escapes[scalar] { return escape }
        let isCoded = scalar.value < 32 || !isPlain && Int.random(in: 0..<5, using: &random) == 0
        guard isCoded else { return String(scalar) }
        if scalar.value >= 0xA0 {
            let digits = String(scalar.value, radix: 16)
            let width = scalar.value > 0xFFFF ? 8 : 4
            return (width == 4 ? "\\u" : "\\U") + String(repeating: "0", count: width - digits.count) + digits
        }
        if !next.isHexDigit, Bool.random(using: &random) { return "\\x" + String(scalar.value, radix: 16) }
        let octal = String(scalar.value, radix: 8)
        return scalar.value > 0x7F ? String(scalar) : "\\" + String(repeating: "0", count: 3 - octal.count) + octal
    }
}
