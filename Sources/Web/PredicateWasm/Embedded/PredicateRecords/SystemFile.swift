// The module has no files: requests contain the bytes.

package enum SystemFile {
    enum FileType {
        case file(size: Int)
        case folder
        case other
    }

    static let problem = "there are no files"
    static let isFolder = "it is a folder"
    static let isClosedPipe = false

    static func open(_ path: String) -> Int32 { -1 }
    static func close(_ descriptor: Int32) {}
    package static func bytes(_ descriptor: Int32, upTo count: Int) -> [UInt8]? { nil }
    package static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int { 0 }
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { -1 }
    package static func place(_ descriptor: Int32) -> Int? { nil }
    package static func move(_ descriptor: Int32, to place: Int) {}
    package static func mayWait(_ descriptor: Int32, milliseconds: Int32 = 0) -> Bool { false }
    package static func isTerminal(_ descriptor: Int32) -> Bool { false }
    static func type(of descriptor: Int32) -> FileType { .other }
    static func size(_ descriptor: Int32) -> Int? { nil }

    static func find(_ byte: UInt8, _ bytes: UnsafeRawPointer, _ count: Int) -> UnsafeRawPointer? {
        UnsafeRawBufferPointer(start: bytes, count: count).firstIndex(of: byte).map { bytes + $0 }
    }
}
