// Texts from bytes that may not be UTF-8, compared with the standard library.

import PredicateTestSupport
import Testing

@Suite struct UTF8Tests {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func bytesAreValidated() {
        var random = SplitMix(8)
        let parts: [[UInt8]] = [
            Array("a".utf8), Array("é".utf8), Array("日".utf8), Array("😀".utf8), [0], [0x7F], [0x80], [0xBF], [0xC0],
            [0xC2], [0xE0, 0x9F], [0xE0, 0xA0], [0xED, 0x9F], [0xED, 0xA0], [0xEF, 0xBF, 0xBD], [0xF0, 0x8F],
            [0xF0, 0x90, 0x80], [0xF4, 0x8F], [0xF4, 0x90], [0xF5], [0xFF],
        ]
        for _ in 0..<5000 {
            let bytes = (0..<random.below(12)).flatMap { _ in
                random.pick(random.chance(70) ? Array(parts[..<6]) : parts)
            }
            let expected = String(validating: bytes, as: UTF8.self)
            #expect(String(validUTF8: bytes) == expected, "\(bytes)")
            #expect(String(validUTF8: bytes.lazy.map { $0 }) == expected, "\(bytes)")
        }
    }
}
