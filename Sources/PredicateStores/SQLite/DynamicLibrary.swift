// Libraries opened at run time: the platform code of this target, so that the package builds where nothing is installed.
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

/// A library that stays open as long as the process runs.
struct DynamicLibrary {
    private let handle: UnsafeMutableRawPointer

    /// nil where the system has no such library.
    init?(_ name: String) {
        #if os(Windows)
            guard let module = name.withCString(encodedAs: UTF16.self, { LoadLibraryW($0) }) else { return nil }
            handle = UnsafeMutableRawPointer(module)
        #elseif os(WASI)
            return nil
        #else
            guard let opened = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
            handle = opened
        #endif
    }

    /// The address of a function; nil where the library has none of the name.
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
