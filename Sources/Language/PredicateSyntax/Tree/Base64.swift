// Base64 for data in tagged values, JSON, CSV and XML property lists. Implemented here because this target does not
// import Foundation.

package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func text(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for position in 0..<3 { bits = bits << 8 | UInt32(position < group.count ? group[start + position] : 0) }
            for position in 0..<4 {
                let sextet = Int(bits >> UInt32(18 - 6 * position) & 63)
                output.append(position <= group.count ? alphabet[sextet] : UInt8(ascii: "="))
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes padded Base64 and ignores white space; nil for any other text.
    package static func bytes(_ text: String) -> [UInt8]? {
        var output: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for byte in text.utf8 {
            let sextet: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): sextet = byte - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): sextet = byte - 97 + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): sextet = byte - 48 + 52
            case UInt8(ascii: "+"): sextet = 62
            case UInt8(ascii: "/"): sextet = 63
            case UInt8(ascii: "="):
                padding += 1
                continue
            case 0x20, 0x09, 0x0A, 0x0D: continue
            default: return nil
            }
            guard padding == 0 else { return nil }
            bits = bits << 6 | UInt32(sextet)
            count += 1
            if count % 4 == 0 {
                output += [
                    UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8),
                    UInt8(truncatingIfNeeded: bits),
                ]
                bits = 0
            }
        }
        switch (count % 4, padding) {
        case (0, 0): break
        case (2, 2): output.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 1): output += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: return nil
        }
        return output
    }
}
