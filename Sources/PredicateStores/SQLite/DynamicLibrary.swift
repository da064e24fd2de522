// Loads libraries at run time, so that the package builds without them. The platform-specific code of this
// target.
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

    /// nil if the system does not have the library.
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
