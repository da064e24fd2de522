import Dispatch
import PredicateEvaluation
import PredicateSyntax
import Testing

@Suite struct AtomicTests {
    private final class Object: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    @Test func aReferenceIsFilledOnce() {
        let reference = AtomicReference<Object>()
        #expect(reference.load() == nil)
        let stored = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<100 where reference.fill(Object(thread * 100 + index)) {
                stored.withLock { $0.append(thread * 100 + index) }
            }
        }
        let numbers = stored.withLock { $0 }
        #expect(numbers.count == 1 && reference.take()?.number == numbers.first)
        #expect(reference.take() == nil)
    }

    /// Every object that a thread takes was given by one thread, and no other thread takes it.
    @Test func anObjectIsTakenOnce() {
        let reference = AtomicReference<Object>()
        let taken = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<500 {
                let isStored = reference.fill(Object(thread * 500 + index))
                if let object = reference.take() { taken.withLock { $0.append(object.number) } }
                if !isStored { taken.withLock { $0.append(thread * 500 + index) } }
            }
        }
        #expect(taken.withLock { $0.sorted() } == Array(0..<4000))
    }

    @Test func aReferenceReleasesItsObject() {
        weak var released: Object?
        do {
            let object = Object(1)
            released = object
            let reference = AtomicReference<Object>()
            #expect(reference.fill(object) && !reference.fill(object))
            #expect(reference.load()?.takeUnretainedValue() === object)
        }
        #expect(released == nil)
    }

    @Test func numbersAreStored() {
        let number = AtomicNumbers(.max)
        #expect(number.load() == .max)
        number.store(-7)
        #expect(number.load() == -7)
    }
}
