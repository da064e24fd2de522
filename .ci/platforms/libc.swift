// What Swift's modules Musl, Android, WASILibc and CRT add to the C library: macros and functions that Swift cannot
// import. For type checks only.
#if os(Windows)
    @_exported import ucrt
    public var errno: Int32 { get { 0 } set {} }
#elseif os(WASI)
    @_exported import CWASILibc
    public let EAGAIN: Int32 = 6
    public let EINTR: Int32 = 27
    public let EISDIR: Int32 = 31
    public let EPIPE: Int32 = 64
#elseif os(Android)
    @_exported import CAndroid
    public var errno: Int32 { get { 0 } set {} }
#else
    @_exported import CMusl
    public var errno: Int32 { get { 0 } set {} }
    public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> { fatalError() }
#endif

#if !os(Windows)
    public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
    public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
    public func openat(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { -1 }
    public func openat(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { -1 }
    public func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 { -1 }
    public func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 { -1 }
    public func ioctl(_ descriptor: CInt, _ request: UInt, _ value: CInt) -> CInt { -1 }
    public func ioctl(_ descriptor: CInt, _ request: UInt, _ pointer: UnsafeMutableRawPointer) -> CInt { -1 }
    public func ioctl(_ descriptor: CInt, _ request: UInt) -> CInt { -1 }
    public var S_IFMT: mode_t { 0o170000 }
    public var S_IFREG: mode_t { 0o100000 }
    public var S_IFDIR: mode_t { 0o040000 }
#endif
#if os(Linux) || os(Android)
    public typealias sighandler_t = @convention(c) (Int32) -> Void
    public var SIG_DFL: sighandler_t? { nil }
    public var SIG_IGN: sighandler_t { unsafeBitCast(1, to: sighandler_t.self) }
#endif
