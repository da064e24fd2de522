// WebAssembly has one thread, and the linker decides the size of its stack.

@usableFromInline enum ThreadIdentity {
    @usableFromInline static var any: UInt { 0 }
    @usableFromInline static var current: UInt { 1 }
}

package enum ThreadStack {
    package static func height(_ limit: Int, for height: Int32) -> Int { limit }
}
