// Reads and writes scalars in UTF-8 of Swift strings, in both directions, without validation.

/// Reads the scalar at `index` and moves after it. The bytes must be valid UTF-8.
@inline(__always)
func decodeScalar(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
    let first = bytes[index]
    index &+= 1
    if first < 0x80 { return UInt32(first) }
    return decodeMultibyte(first, bytes, &index)
}

@inline(never)
private func decodeMultibyte(_ first: UInt8, _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
    let more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3
    var scalar = UInt32(first) & (more == 1 ? 0x1F : more == 2 ? 0x0F : 0x07)
    for _ in 0..<more where index < bytes.count {
        scalar = scalar << 6 | UInt32(bytes[index] & 0x3F)
        index &+= 1
    }
    return scalar
}

/// Reads the scalar before `index` and moves to its start.
@inline(__always)
func decodeScalarBackward(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt32 {
    index &-= 1
    while index > 0, bytes[index] & 0xC0 == 0x80 { index &-= 1 }
    var forward = index
    return decodeScalar(bytes, &forward)
}

/// Passes the UTF-8 bytes of a scalar to `write`.
@inline(__always)
func encodeScalar(_ scalar: UInt32, _ write: (UInt8) -> Void) {
    func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift) & 0x3F }
    if scalar < 0x80 {
        write(UInt8(truncatingIfNeeded: scalar))
    } else if scalar < 0x800 {
        write(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
        write(tail(0))
    } else if scalar < 0x10000 {
        write(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
        write(tail(6))
        write(tail(0))
    } else {
        write(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
        write(tail(12))
        write(tail(6))
        write(tail(0))
    }
}

extension String {
    /// Calls `body` with the text's UTF-8 bytes: in place, or a copy if the text is bridged or not contiguous.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }

    package init(scalars: some Sequence<UInt32>) {
        var view = UnicodeScalarView()
        for case let scalar? in scalars.lazy.map({ Unicode.Scalar($0) }) { view.append(scalar) }
        self.init(view)
    }
}
