// Validates UTF-8 in foreign memory, such as a mapped file or a driver's batch, before it is used without a copy.

extension String {
    /// The text of UTF-8; nil if the bytes are not valid. For short texts it takes about half the time of the standard
    /// library's `String(validating:as:)`, which needs macOS 15 and iOS 18.
    @inlinable package init?(validUTF8 bytes: some Collection<UInt8>) {
        let text = bytes.withContiguousStorageIfAvailable { String(validUTF8: $0) }
        guard let text = text ?? Array(bytes).withUnsafeBufferPointer({ String(validUTF8: $0) }) else { return nil }
        self = text
    }

    @usableFromInline package init?(validUTF8 bytes: UnsafeBufferPointer<UInt8>) {
        if let base = bytes.baseAddress, !isValidUTF8(base, 0..<bytes.count) { return nil }
        self.init(decoding: bytes, as: UTF8.self)
    }
}

/// Whether the bytes are valid UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF.
package func isValidUTF8(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> Bool {
    var at = range.lowerBound
    let end = range.upperBound
    func word(_ offset: Int) -> UInt64 {
        UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    func continues(_ offset: Int, _ bounds: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
        at + offset < end && bounds.contains(base[at + offset])
    }
    while at < end {
        if at + 8 <= end, word(at) & 0x8080_8080_8080_8080 == 0 {
            at += 8
            continue
        }
        switch base[at] {
        case 0...0x7F: at += 1
        case 0xC2...0xDF:
            guard continues(1) else { return false }
            at += 2
        case 0xE0...0xEF:
            let second: ClosedRange<UInt8> =
                base[at] == 0xE0 ? 0xA0...0xBF : base[at] == 0xED ? 0x80...0x9F : 0x80...0xBF
            guard continues(1, second), continues(2) else { return false }
            at += 3
        case 0xF0...0xF4:
            let second: ClosedRange<UInt8> =
                base[at] == 0xF0 ? 0x90...0xBF : base[at] == 0xF4 ? 0x80...0x8F : 0x80...0xBF
            guard continues(1, second), continues(2), continues(3) else { return false }
            at += 4
        default: return false
        }
    }
    return true
}
