// The functions that the module exports. A host writes a request into memory of `predicate_alloc`, calls
// `predicate_answer`, and frees both.
import PredicateRequests
import PredicateSyntax

// The module has one thread.
nonisolated(unsafe) private var service = RequestService()

/// Memory for a request, or 0 if there is none left.
@_expose(wasm, "predicate_alloc")
@_cdecl("predicate_alloc")
public func allocate(_ count: Int32) -> UnsafeMutableRawPointer? {
    allocateMemory(max(UInt(UInt32(bitPattern: count)), 1))
}

@_expose(wasm, "predicate_free")
@_cdecl("predicate_free")
public func release(_ address: UnsafeMutableRawPointer?) { freeMemory(address) }

/// Answers the request. Returns the length of the answer in four bytes, and the answer.
@_expose(wasm, "predicate_answer")
@_cdecl("predicate_answer")
public func answer(_ request: UnsafeRawPointer, _ count: Int32) -> UnsafeMutableRawPointer? {
    let bytes = UnsafeRawBufferPointer(start: request, count: Int(count))
    var answer = service.answer(ArraySlice(bytes)).json
    return answer.withUTF8 { text in
        guard let result = allocateMemory(UInt(text.count + 4)) else { return nil }
        result.storeBytes(of: Int32(text.count), as: Int32.self)
        if let base = text.baseAddress { (result + 4).copyMemory(from: base, byteCount: text.count) }
        return result
    }
}

@_extern(c, "predicate_allocate_memory")
private func allocateMemory(_ count: UInt) -> UnsafeMutableRawPointer?
@_extern(c, "predicate_free_memory")
private func freeMemory(_ address: UnsafeMutableRawPointer?)
