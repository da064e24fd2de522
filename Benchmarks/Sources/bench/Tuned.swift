// The minimum time: code tuned for the predicate, the type and the layout of strings and arrays in Swift 6 on 64-bit
// Linux. For comparison only; do not use it in an app.
import Foundation

typealias Bytes = UnsafeBufferPointer<UInt8>

/// A row of `Person`, whose fields are read at their offsets.
struct TunedRow {
    let start: UnsafeRawPointer

    @inline(__always) func read<V>(_ path: KeyPath<Person, V>, as type: V.Type = V.self) -> V where V: BitwiseCopyable {
        start.load(fromByteOffset: offset(path), as: V.self)
    }
    @inline(__always) func text(_ path: PartialKeyPath<Person>) -> TunedText { TunedText(start + offset(path)) }
    @inline(__always) var tags: UnsafeBufferPointer<(UInt64, UInt64)> {
        let list = start.load(fromByteOffset: offset(\.tags), as: UnsafeRawPointer.self)
        return UnsafeBufferPointer(
            start: (list + 32).assumingMemoryBound(to: (UInt64, UInt64).self),
            count: list.load(fromByteOffset: 16, as: Int.self))
    }
    @inline(__always) private func offset(_ path: PartialKeyPath<Person>) -> Int {
        MemoryLayout<Person>.offset(of: path) ?? 0
    }
}

struct TunedText {
    let low: UInt64
    let high: UInt64
    let start: UnsafeRawPointer

    @inline(__always) init(_ start: UnsafeRawPointer) {
        low = start.load(as: UInt64.self)
        high = start.load(fromByteOffset: 8, as: UInt64.self)
        self.start = start
    }
    @inline(__always) var isNil: Bool { high == 0 }
    @inline(__always) var isSmall: Bool { high >> 61 & 1 != 0 }
    @inline(__always) var isASCII: Bool { isSmall ? high >> 62 & 1 != 0 : low >> 63 != 0 }
    @inline(__always) var count: Int { isSmall ? Int(high >> 56 & 15) : Int(low & 0xFFFF_FFFF_FFFF) }
    @inline(__always) var bytes: Bytes {
        if isSmall { return Bytes(start: start.assumingMemoryBound(to: UInt8.self), count: count) }
        return Bytes(start: UnsafePointer(bitPattern: UInt(high & 0x0FFF_FFFF_FFFF_FFFF) + 32), count: count)
    }
    /// Whether the text equals another one of at most eight bytes.
    @inline(__always) func equals(_ word: UInt64, _ length: UInt64) -> Bool {
        low == word && high & 0x2FFF_FFFF_FFFF_FFFF == 0x2000_0000_0000_0000 | length << 56
    }
}

/// The bytes of a short text as an integer.
private func word(_ text: String) -> UInt64 {
    text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
}

@inline(__always) private func ends(_ text: Bytes, _ word: UInt32) -> Bool {
    text.count >= 4
        && UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: text.count - 4, as: UInt32.self) == word
}

/// Compares the first and the last byte at sixteen places, then all bytes. `fold` is 0x20 for needles of
/// lower-case letters, else 0.
@inline(__always) private func finds(_ text: Bytes, _ needle: [UInt8], fold: UInt8) -> Bool {
    let (raw, length) = (UnsafeRawBufferPointer(text), needle.count)
    if text.count < length { return false }
    let (first, last) = (SIMD16(repeating: needle[0]), SIMD16(repeating: needle[length - 1]))
    let folds = SIMD16(repeating: fold)
    func isAt(_ place: Int) -> Bool { (0..<length).allSatisfy { text[place + $0] | fold == needle[$0] } }
    var place = 0
    while place + length + 15 <= text.count {
        let a = raw.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self) | folds
        let b = raw.loadUnaligned(fromByteOffset: place + length - 1, as: SIMD16<UInt8>.self) | folds
        let lanes = unsafeBitCast((a .== first) .& (b .== last), to: SIMD2<UInt64>.self)
        if lanes.x | lanes.y != 0 {
            for lane in 0..<16 where isAt(place + lane) { return true }
        }
        place += 16
    }
    while place + length <= text.count {
        if isAt(place) { return true }
        place += 1
    }
    return false
}

enum Tuned {
    @inline(__always) private static func count(_ people: [Person], _ test: (TunedRow) -> Bool) -> Int {
        people.withUnsafeBytes { memory in
            guard var row = memory.baseAddress else { return 0 }
            var count = 0
            for _ in people.indices {
                count += test(TunedRow(start: row)) ? 1 : 0
                row += MemoryLayout<Person>.stride
            }
            return count
        }
    }

    @inline(__always) private static func mail(_ text: Bytes) -> Bool {
        guard text.count >= 7, ends(text, 0x6D6F_632E) else { return false }
        var place = 0
        while text[place] &- 97 < 26 || text[place] == 46 {
            place += 1
            if place == text.count { return false }
        }
        if place == 0 || text[place] != 64 { return false }
        let domain = place + 1
        place = domain
        while place < text.count - 4 {
            if text[place] &- 97 >= 26 { return false }
            place += 1
        }
        return place > domain
    }

    /// The loop for each predicate.
    static let loops: [String: @Sendable ([Person]) -> Int] = {
        let (smith, paris, berlin, sanJose, red) = (
            word("smith"), word("Paris"), word("Berlin"), word("San Jose"), word("red")
        )
        let (exact, voluptate, resume) = (word("Smith"), Array("voluptate".utf8), Array("resume".utf8))
        return [
            "P01": { count($0) { $0.read(\.age) > 30 } },
            "P02": { count($0) { UInt(bitPattern: $0.read(\.age) &- 21) < 44 && $0.read(\.active) } },
            "P03": { count($0) { $0.text(\.lastName).equals(exact, 5) } },
            "P04": {
                count($0) {
                    let text = $0.text(\.lastName)
                    return text.isSmall && text.low | 0x20_2020_2020 == smith && text.count == 5
                }
            },
            "P05": { count($0) { $0.text(\.firstName).bytes.first == 65 } },
            "P07": { count($0) { ends($0.text(\.email).bytes, 0x6772_6F2E) } },
            "P08": { count($0) { finds($0.text(\.bio).bytes, voluptate, fold: 0) } },
            "P09": {
                count($0) { row in
                    let text = row.text(\.bio)
                    if finds(text.bytes, resume, fold: 0x20) { return true }
                    if text.isASCII { return false }
                    let bio = (row.start + (MemoryLayout<Person>.offset(of: \.bio) ?? 0))
                        .assumingMemoryBound(to: String.self).pointee
                    return bio.range(of: "resume", options: [.caseInsensitive, .diacriticInsensitive]) != nil
                }
            },
            "P11": { count($0) { mail($0.text(\.email).bytes) } },
            "P12": {
                count($0) {
                    let text = $0.text(\.city)
                    return text.equals(paris, 5) || text.equals(berlin, 6) || text.equals(sanJose, 8)
                }
            },
            "P13": { count($0) { UInt(bitPattern: $0.read(\.age) &- 30) <= 10 } },
            "P14": {
                count($0) {
                    let text = $0.text(\.nickname)
                    return text.isNil || text.bytes.first == 90
                }
            },
            "P15": {
                count($0) {
                    for tag in $0.tags where tag.0 == red && tag.1 >> 56 & 15 == 3 { return true }
                    return false
                }
            },
            "P16": {
                count($0) {
                    var hits = 0
                    for tag in $0.tags { hits += tag.1 >> 61 & 1 != 0 && tag.0 & 0xFF == 98 ? 1 : 0 }
                    return hits > 1
                }
            },
            "P17": {
                count($0) {
                    !$0.read(\.active)
                        || $0.read(\.age) > 30 && ($0.read(\.salary) > 90000 || $0.text(\.city).equals(paris, 5))
                }
            },
        ]
    }()
}
