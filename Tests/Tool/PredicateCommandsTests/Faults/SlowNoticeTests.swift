// Tests of the text that is written while a query takes long.

import Dispatch
import Foundation
@testable import PredicateCheckCommands
@testable import PredicateCommands
import PredicateSyntax
import Testing

@Suite struct SlowNoticeTests {
    @Test func itIsWrittenOnceWhileTheDatabaseWorks() {
        let told = Mutex(0)
        let first = DispatchSemaphore(value: 0)
        let notice = SlowNotice(after: .milliseconds(50)) {
            told.withLock { $0 += 1 }
            first.signal()
        }
        // A busy machine may be late to call: the database works until then.
        let answer = notice.wait { first.wait(timeout: .now() + .seconds(60)) }
        #expect(answer == .success)
        notice.wait { Thread.sleep(forTimeInterval: 0.3) }
        #expect(told.withLock { $0 } == 1)
    }

    @Test func theTimeOfTheReaderDoesNotCount() {
        let told = Mutex(0)
        let notice = SlowNotice(after: .milliseconds(300)) { told.withLock { $0 += 1 } }
        for _ in 0..<3 {
            notice.wait {}
            Thread.sleep(forTimeInterval: 0.2)
        }
        #expect(told.withLock { $0 } == 0)
    }
}
