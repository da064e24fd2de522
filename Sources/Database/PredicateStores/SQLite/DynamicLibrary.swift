// Loads libraries at run time, so that the package builds without them. The only platform-specific code of this target.
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif os(Windows)
    import WinSDK
#endif

/// A library that stays loaded until the process ends.
struct DynamicLibrary {
    private let handle: UnsafeMutableRawPointer

    /// nil if the system does not have the library, or cannot load it.
    ///
    /// - Parameter sharesSymbols: whether libraries opened later may use its symbols.
    init?(_ name: String, sharesSymbols: Bool = false) {
        #if os(Windows)
            guard let module = name.withCString(encodedAs: UTF16.self, { LoadLibraryW($0) }) else { return nil }
            handle = UnsafeMutableRawPointer(module)
        #elseif os(WASI)
            return nil
        #else
            guard let opened = dlopen(name, RTLD_NOW | (sharesSymbols ? RTLD_GLOBAL : RTLD_LOCAL)) else { return nil }
            handle = opened
        #endif
    }

    /// The reason why the last attempt of this thread to open a library failed.
    static var lastError: String {
        #if os(Windows)
            return "Windows error \(GetLastError())"
        #elseif os(WASI)
            return "this platform cannot load libraries"
        #else
            return dlerror().map { String(cString: $0) } ?? "unknown error"
        #endif
    }

    /// The address of a function; nil if the library does not have it.
    func address(of symbol: String) -> UnsafeMutableRawPointer? {
        #if os(Windows)
            let module = handle.assumingMemoryBound(to: HINSTANCE__.self)
            return GetProcAddress(module, symbol).map { unsafeBitCast($0, to: UnsafeMutableRawPointer.self) }
        #elseif os(WASI)
            return nil
        #else
            return dlsym(handle, symbol)
        #endif
    }
}
