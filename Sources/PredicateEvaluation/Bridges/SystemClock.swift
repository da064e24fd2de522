// The only code that reads the system's clock.
import Foundation

/// The default clock of `now()`.
package enum SystemClock {
    /// Seconds since 2001-01-01 00:00 UTC.
    @Sendable package static func seconds() -> Double { Date().timeIntervalSinceReferenceDate }
}
