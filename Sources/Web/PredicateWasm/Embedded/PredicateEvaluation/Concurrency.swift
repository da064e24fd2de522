// The clock and the task of the standard library that evaluation uses. The module has neither threads nor tasks.
import PredicateModel

public struct ContinuousClock {
    public struct Instant: Comparable, Sendable {
        let seconds: Double

        public static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }
        public static func + (left: Instant, right: Duration) -> Instant {
            Instant(
                seconds: left.seconds + Double(right.components.seconds) + Double(right.components.attoseconds) / 1e18)
        }
    }

    public static var now: Instant { Instant(seconds: SystemClock.seconds()) }
}

enum Task {
    static var isCancelled: Bool { false }
}
