// The only code that reads the system's clock.
import Foundation

/// The default clock of `now()`.
public enum SystemClock {
    /// Seconds since 2001-01-01 00:00 UTC.
    @Sendable public static func seconds() -> Double { Date().timeIntervalSinceReferenceDate }
}
