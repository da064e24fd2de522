// Iterates over the folded scalars of a text without building the folded text.

struct FoldedScalars {
    private let table: FoldTable?
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    /// The remaining scalars if the last one folded to several.
    private var pending: [UInt32] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ table: FoldTable?) {
        self.bytes = bytes
        self.table = table
    }

    @inline(__always)
    mutating func next() -> UInt32? {
        if !pending.isEmpty { return pending.removeLast() }
        while index < bytes.count {
            let scalar = decodeScalar(bytes, &index)
            guard let table else { return scalar }
            switch table.image(scalar) {
            case .one(let folded): return folded
            case .several(_, count: 0): continue
            case .several, .hangul:
                pending = table.fold(scalar).reversed()
                return pending.popLast()
            }
        }
        return nil
    }
}

extension FoldTable {
    /// The largest growth factor of UTF-8 by folding. A test checks every scalar.
    static let growth = 3

    /// Writes the folded text to `output`, which must have `growth` times the size. Returns its length.
    func write(_ text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var length = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                if index &+ 8 <= text.count, foldASCIIWord(text, index, output, length) {
                    length &+= 8
                    index &+= 8
                    continue
                }
                output[length] = foldASCII(byte)
                length &+= 1
                index &+= 1
                continue
            }
            let scalar = decodeScalar(text, &index)
            let append: (UInt8) -> Void = { byte in
                guard length < output.count else { return }
                output[length] = byte
                length &+= 1
            }
            switch image(scalar) {
            case .one(let folded): encodeScalar(folded, append)
            case .several(let start, let count):
                for each in start..<start &+ count { encodeScalar(expansion(at: each), append) }
            case .hangul:
                for each in Hangul.decomposed(scalar) { encodeScalar(each, append) }
            }
        }
        return length
    }

    /// Folds eight bytes at once if all are ASCII.
    @inline(__always)
    private func foldASCIIWord(
        _ text: UnsafeBufferPointer<UInt8>, _ index: Int, _ output: UnsafeMutableBufferPointer<UInt8>, _ length: Int
    ) -> Bool {
        let word = UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let ones: UInt64 = 0x0101_0101_0101_0101
        guard word & ones << 7 == 0, length &+ 8 <= output.count else { return false }
        // In each byte, one sum sets the high bit from A on, the other after Z. Where they differ, the byte is
        // a capital; 0x20 is the case bit.
        let capitals = ((word &+ ones &* 0x3F) ^ (word &+ ones &* 0x25)) & ones << 7
        UnsafeMutableRawBufferPointer(output).storeBytes(
            of: lowersASCII ? word | capitals >> 2 : word, toByteOffset: length, as: UInt64.self)
        return true
    }

    @inline(__always)
    func foldASCII(_ byte: UInt8) -> UInt8 { lowersASCII ? byte.lowercase : byte }
}

extension UInt8 {
    /// The lower-case form of an ASCII letter; any other character itself.
    @inline(__always) var lowercase: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
