// Reads a file descriptor (SystemFile.swift). The buffer is a window that moves over the input. It grows only as large
// as one record needs.

/// The bytes that were read and not consumed yet. Offsets are relative to the first of these bytes and stay valid while
/// the buffer is filled.
final class InputBuffer {
    private let descriptor: Int32
    private let closesDescriptor: Bool
    private let chunkSize: Int
    private var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var head = 0
    private var tail = 0
    private(set) var isAtEnd = false
    /// The number of bytes read so far, for progress.
    private(set) var bytesRead = 0
    /// The offset of the first byte in a file; nil for other inputs, which cannot be read a second time.
    let start: Int?
    /// The whole input, for `withBytes`.
    private var whole: [UInt8] = []
    /// Called before a read that waits for a pipe or a terminal. Flush output here.
    var beforeWaiting: (() -> Void)?
    /// Called at the end of the input. Returns why the input is not whole; nil if it is.
    var atEnd: (() -> String?)?

    /// - Parameter start: the first bytes, at most 64, if they were already read from the descriptor.
    init(descriptor: Int32, closesDescriptor: Bool, chunkSize: Int, start: [UInt8] = []) {
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        self.chunkSize = max(1, chunkSize)
        capacity = max(64, chunkSize)
        self.start = SystemFile.place(descriptor)
        memory = .allocate(capacity: capacity)
        for byte in start.prefix(capacity) {
            memory[tail] = byte
            tail += 1
        }
        bytesRead = tail
    }

    /// A buffer over bytes in memory.
    init(bytes: [UInt8]) {
        descriptor = -1
        closesDescriptor = false
        chunkSize = 1
        start = 0
        capacity = max(64, bytes.count)
        memory = .allocate(capacity: capacity)
        isAtEnd = true
        load(bytes)
    }

    /// Replaces the bytes, reusing the memory if they fit. Only for a buffer created with `init(bytes:)`.
    func load(_ bytes: [UInt8]) {
        if bytes.count > capacity {
            memory.deallocate()
            capacity = bytes.count
            memory = .allocate(capacity: capacity)
        }
        bytes.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { memory.update(from: start, count: buffer.count) }
        }
        (head, tail) = (0, bytes.count)
        bytesRead = bytes.count
    }

    deinit {
        memory.deallocate()
        if closesDescriptor { SystemFile.close(descriptor) }
    }

    var count: Int { tail - head }

    /// The bytes. The pointer is valid until the next `fill`.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: memory + head, count: tail - head) }

    /// A range of `bytes`.
    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: memory + head + range.lowerBound, count: range.count)
    }

    /// The range of a slice, relative to the first byte of the buffer. Only for a buffer created with `init(bytes:)`.
    func place(of slice: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        guard let base = slice.baseAddress else { return 0..<0 }
        let start = base - UnsafePointer(memory)
        return start..<(start + slice.count)
    }

    /// Drops the first bytes. A slice of them stays readable until the next `fill`.
    func consume(_ count: Int) { head += count }

    /// Moves to an offset before or after the current position. Only for a buffer created with `init(bytes:)`.
    func seek(to offset: Int) { head = min(max(0, offset), tail) }

    /// Reads more bytes. Returns false at the end of the input.
    func fill() throws(DocumentProblem) -> Bool {
        if isAtEnd { return false }
        if head > 0, tail == capacity || head == tail {
            memory.update(from: memory + head, count: tail - head)
            tail -= head
            head = 0
        }
        if tail == capacity {
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
            larger.update(from: memory, count: tail)
            memory.deallocate()
            memory = larger
            capacity *= 2
        }
        if let beforeWaiting, mustWait() { beforeWaiting() }
        let count = SystemFile.read(descriptor, memory + tail, min(chunkSize, capacity - tail))
        if count > 0 {
            tail += count
            bytesRead += count
            return true
        }
        isAtEnd = true
        if count < 0 { throw DocumentProblem(offset: self.count, message: "cannot read: \(SystemFile.problem)") }
        guard let problem = atEnd?() else { return false }
        throw DocumentProblem(offset: self.count, message: problem)
    }

    /// Calls `body` with bytes at an offset from the first byte of the input, after its end was reached; nil if they are no
    /// longer there.
    func withBytes<Result>(at offset: Int, count: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        guard let start else { return nil }
        guard descriptor >= 0 else {
            return offset + count > tail ? nil : body(UnsafeBufferPointer(start: memory + offset, count: count))
        }
        if offset + count <= whole.count {
            return whole.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[offset..<offset + count])) }
        }
        return readAgain(at: start + offset, count: count)?.withUnsafeBufferPointer(body)
    }

    /// Reads the whole input once more, for many calls of `withBytes`.
    func readWhole() {
        if let start, descriptor >= 0 { whole = readAgain(at: start, count: bytesRead) ?? [] }
    }

    private func readAgain(at place: Int, count: Int) -> [UInt8]? {
        SystemFile.move(descriptor, to: place)
        return SystemFile.bytes(descriptor, upTo: count).flatMap { $0.count == count ? $0 : nil }
    }

    /// Whether the next read would wait for a pipe or a terminal.
    func mustWait() -> Bool { !isAtEnd && SystemFile.mayWait(descriptor) }

    /// Whether no byte arrives within a second.
    func pauses() -> Bool {
        if isAtEnd { return false }
        if let beforeWaiting, mustWait() { beforeWaiting() }
        return SystemFile.mayWait(descriptor, milliseconds: 1000)
    }

    /// The offset of the first byte with this value at or after `start`.
    func offset(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let found = SystemFile.find(byte, memory + head + start, count - start) else { return nil }
        return found - UnsafeRawPointer(memory + head)
    }
}
