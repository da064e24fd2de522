// Words that several threads read and write without a lock. The atomics of the standard library need macOS 15 and iOS
// 18.
public import CAtomics

/// Numbers that several threads read and write without a lock. A thread that reads a number also sees all that another
/// thread wrote before it stored the number.
///
/// - Complexity: creating it allocates memory, because the numbers must not move.
// @unchecked Sendable: all operations on the words are atomic.
@usableFromInline package struct AtomicNumbers: ~Copyable, @unchecked Sendable {
    @usableFromInline let words: UnsafeMutablePointer<Int>

    @inlinable package init(_ number: Int = 0, count: Int = 1) {
        words = .allocate(capacity: count)
        words.initialize(repeating: number, count: count)
    }

    @inlinable deinit { words.deallocate() }

    @inlinable package borrowing func load(at index: Int = 0) -> Int { atomic_word_load(words + index) }

    @inlinable package borrowing func store(_ number: Int, at index: Int = 0) {
        atomic_word_store(words + index, number)
    }
}

/// A reference that several threads read and write without a lock, and nil at first. It retains its object.
///
/// - Complexity: creating it allocates memory, because the reference must not move.
// @unchecked Sendable: all operations on the word are atomic.
@usableFromInline package struct AtomicReference<Object: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
    /// The address of the object, or 0.
    @usableFromInline let word: UnsafeMutablePointer<Int>

    @inlinable package init() {
        word = .allocate(capacity: 1)
        word.initialize(to: 0)
    }

    @inlinable deinit {
        _ = take()
        word.deallocate()
    }

    @inlinable static func object(_ word: Int) -> Unmanaged<Object>? {
        UnsafeRawPointer(bitPattern: word).map(Unmanaged.fromOpaque)
    }

    /// The object, which is not retained: only for references from which no thread takes the object.
    @inlinable package borrowing func load() -> Unmanaged<Object>? { Self.object(atomic_word_load(word)) }

    /// Replaces the object by nil, and returns it.
    @inlinable package borrowing func take() -> Object? {
        Self.object(atomic_word_exchange(word, 0))?.takeRetainedValue()
    }

    /// Stores an object if there is none, and returns whether it did.
    @inlinable package borrowing func fill(_ object: Object) -> Bool {
        let new = Unmanaged.passRetained(object)
        let isStored = atomic_word_fill(word, Int(bitPattern: new.toOpaque()))
        if !isStored { new.release() }
        return isStored
    }
}
