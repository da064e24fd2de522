// The one place that asks the system for the time.
import Foundation

/// The clock of `now()` where the host gives none.
public enum SystemClock {
    /// Seconds since 2001-01-01 00:00 UTC.
    @Sendable public static func seconds() -> Double { Date().timeIntervalSinceReferenceDate }
}
