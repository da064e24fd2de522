import Dispatch
import PredicateSyntax
import Testing

@Suite struct MutexTests {
    @Test func onlyOneThreadUsesTheValue() {
        let numbers = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<500 { numbers.withLock { $0.append(thread * 500 + index) } }
        }
        #expect(numbers.withLock { $0.sorted() } == Array(0..<4000))
    }

    @Test func aTakenLockIsNotAvailable() {
        let value = Mutex(1)
        #expect(value.withLockIfAvailable { $0 += 1 } != nil)
        let isTaken = value.withLock { _ in
            let found = Mutex(false)
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                let isFree = value.withLockIfAvailable { _ in } != nil
                found.withLock { $0 = $0 || isFree }
            }
            return !found.withLock { $0 }
        }
        #expect(isTaken && value.withLock { $0 } == 2)
    }

    @Test func theLockIsReleasedByAnError() {
        struct Failure: Error {}
        let value = Mutex(1)
        #expect(throws: Failure.self) { try value.withLock { (_) throws(Failure) in throw Failure() } }
        #expect(value.withLockIfAvailable { $0 } == 1)
    }

    @Test func theValueIsReleased() {
        final class Object: Sendable {}
        weak var released: Object?
        do {
            let value = Mutex(Object())
            released = value.withLock { $0 }
            #expect(released != nil)
        }
        #expect(released == nil)
    }

    /// A value may need more alignment than the lock.
    @Test func theValueIsAligned() {
        let value = Mutex(SIMD16<UInt64>(repeating: 7))
        #expect(value.withLock { $0.wrappedSum() } == 112)
    }
}
