// Compares searches for letters (LANGUAGE C 10) with Foundation's `range(of:options:)`, for words of many scripts in
// composed, decomposed and mixed form. Every difference must have one of the listed reasons.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateModel

/// Words by script. Some have letters that fold to several, and marks that cannot be composed.
private let words: [[String]] = [
    ["Zoë", "résumé", "Élodie", "STRASSE", "Straße", "Ångström", "naïve", "Žižek", "İstanbul", "ﬁn", "Łódź", "q̈a"],
    ["phở", "Việt", "Nguyễn", "ĐƯỜNG", "nước", "Ấn"],
    ["Σίσυφος", "Άθως", "ὈΔΥΣΣΕΎΣ", "ΐ", "ᾴδω", "ὖ"],
    ["Андрей", "йод", "Ёлка", "ЇЖАК", "Ўзбек", "кофе"],
    ["Հայաստան", "ԵՐԵՎԱՆ", "և", "բարեւ"],
    ["საქართველო", "ᲗᲑᲘᲚᲘᲡᲘ", "მთა"],
    ["שָׁלוֹם", "ירושלים", "תּוֹרָה", "בַּיִת"],
    ["آدم", "مُحَمَّد", "مؤمن", "أحمد", "ئ", "القاهرة"],
    ["किताब", "हिन्दी", "क़लम", "ज़मीन", "नमस्ते", "ऩ"],
    ["বাংলা", "কোলকাতা", "বড়", "য়"],
    ["தமிழ்", "சொல்", "கௌரி", "ஔ"],
    ["ಕನ್ನಡ", "ಕೋತಿ", "ೀ"],
    ["മലയാളം", "കൊച്ചി", "സൗമ്യ"],
    ["ไทยแลนด์", "กรุงเทพ", "น้ำ"],
    ["ລາວ", "ນ້ຳ"],
    ["བོད་ཡིག", "གཱ", "རྒྱལ"],
    ["မြန်မာ", "ရန်ကုန်", "ဦး"],
    ["ភាសាខ្មែរ", "ភ្នំពេញ"],
    ["한국어", "각하", "가나다", "서울", "ᄀ"],
    ["がくせい", "はん", "ぱん", "ひらがな", "ゔ"],
    ["ガラス", "パン", "カタカナ", "ハン"],
    ["漢字", "東京", "北京", "神"],
    ["አማርኛ", "ኢትዮጵያ"],
    ["ᏣᎳᎩ", "ᎠᏂ", "ꮳꮃꭹ"],
    ["👍🏽", "👩‍🚀", "🇩🇰", "ok ☺️", "1️⃣", "ﬀ", "ŉ"],
]

/// Changes the form of a text: composed, decomposed, or random for each character.
private func respelled(_ text: String, _ random: inout SplitMix) -> String {
    switch random.below(4) {
    case 0: text
    case 1: text.precomposedStringWithCanonicalMapping
    case 2: text.decomposedStringWithCanonicalMapping
    default:
        text.map { character in
            random.below(2) == 0
                ? String(character).decomposedStringWithCanonicalMapping
                : String(character).precomposedStringWithCanonicalMapping
        }.joined()
    }
}

private func word(_ random: inout SplitMix) -> String {
    let word = random.pick(random.pick(words))
    return switch random.below(4) {
    case 0: word.uppercased()
    case 1: word.lowercased()
    default: word
    }
}

/// A part of a text that begins and ends at any position, also inside a letter.
private func part(of text: String, _ random: inout SplitMix) -> String {
    let scalars = Array(text.unicodeScalars)
    let start = random.below(scalars.count)
    let end = min(scalars.count, start + 1 + random.below(5))
    return String(scalars: scalars[start..<end].map(\.value))
}

private struct Search {
    var text: String
    var needle: String
    var place: TextPlace
    var options: ComparisonOptions

    var ours: Bool { OperatorRules.standard.find(needle, in: text, at: place, options) }

    var foundations: Bool { Self.foundation(text, needle, place, options) }

    static func foundation(_ text: String, _ needle: String, _ place: TextPlace, _ options: ComparisonOptions) -> Bool {
        var theirs: String.CompareOptions = []
        if options.contains(.caseInsensitive) { theirs.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { theirs.insert(.diacriticInsensitive) }
        switch place {
        case .prefix: theirs.insert(.anchored)
        case .suffix: theirs.formUnion([.anchored, .backwards])
        case .anywhere: break
        }
        return text.range(of: needle, options: theirs) != nil
    }

    /// The reason for a difference; nil if no reason is known.
    var reason: String? {
        let parts = "Foundation finds parts of decomposed letters."
        if ours
            == Self.foundation(
                text.precomposedStringWithCanonicalMapping, needle.precomposedStringWithCanonicalMapping, place, options
            )
        {
            return parts
        }
        let composed = [text, needle].map(\.precomposedStringWithCanonicalMapping)
        let scalars = ([text, needle] + composed).flatMap(\.unicodeScalars)
        let table = FoldTable.table(options)
        if scalars.contains(where: { scalar in
            guard let table else { return false }
            let letters = table.fold(scalar.value).filter { !table.extends($0) }
            return letters.count > 1
        }) {
            return "Half of an expanding folding is found here, and not by Foundation."
        }
        if scalars.contains(where: { $0.properties.isEmojiModifier || $0.value == 0x200D || $0.value == 0xFE0F }) {
            return "Emoji modifiers and joiners."
        }
        // Foundation finds a sign at the beginning of the needle after any letter. Here the sign is a part of that
        // letter, or it folds to an empty text.
        let marks: [Unicode.GeneralCategory] = [.nonspacingMark, .spacingMark, .enclosingMark]
        let isMark: (Unicode.Scalar) -> Bool = { marks.contains($0.properties.generalCategory) }
        if needle.unicodeScalars.first.map(isMark) ?? false {
            return "The needle begins with a sign that only follows."
        }
        // Foundation joins these signs with the letter before them; here they are separate letters.
        if scalars.contains(where: { scalar in
            isMark(scalar) && table.map { !$0.extends(scalar.value) && !$0.fold(scalar.value).isEmpty } ?? true
        }) {
            return "Signs that only follow."
        }
        // Unicode 15.1 joins consonants with a virama between them into one character; LANGUAGE C 10 does not.
        if scalars.contains(where: { $0.properties.canonicalCombiningClass.rawValue == 9 }) {
            return "Consonants that a virama joins."
        }
        // Letters such as U+0958 have no composed normal form.
        if !ours, text.unicodeScalars.contains(where: { table?.extends($0.value) ?? false }) {
            return parts
        }
        let decomposed = text.decomposedStringWithCanonicalMapping.unicodeScalars.map { table?.fold($0.value) ?? [] }
        if zip(decomposed, decomposed.dropFirst()).contains(where: { $0.isEmpty && $1.isEmpty }) {
            return "Foundation, at the end of a text, does not drop all of several marks on a letter."
        }
        return nil
    }
}

@Test func searchesForLettersAgreeWithFoundation() {
    var random = SplitMix(2024)
    var reasons: [String: Int] = [:]
    var found = 0
    let count = TestDepth.count(200_000)
    for _ in 0..<count {
        var text = respelled(word(&random), &random)
        if random.below(3) == 0 { text += " " + respelled(word(&random), &random) }
        var needle = random.below(4) == 0 ? word(&random) : part(of: text, &random)
        if random.below(2) == 0 { needle = respelled(needle, &random) }
        if random.below(4) == 0 { needle = random.below(2) == 0 ? needle.uppercased() : needle.lowercased() }
        let search = Search(
            text: text, needle: needle, place: random.pick([.prefix, .suffix, .anywhere]),
            options: random.pick([.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]))
        if search.ours { found += 1 }
        if search.ours == search.foundations { continue }
        guard let reason = search.reason else {
            Issue.record(
                "\(text.scalarsInHex) | \(needle.scalarsInHex) | \(search.place) \(search.options): \(search.ours)")
            continue
        }
        reasons[reason, default: 0] += 1
    }
    #expect(found > count / 8, "the searches are no test")
    if !TestDepth.isQuick { print("letters and Foundation: \(count) searches, \(found) found, \(reasons)") }
}
