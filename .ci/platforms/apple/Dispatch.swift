// What Apple's module Dispatch declares, as far as this package uses it. For type checks only. By Apple's documentation DispatchQueue and
// DispatchSemaphore are Sendable.
open class DispatchObject: @unchecked Sendable {}

public final class DispatchQueue: DispatchObject, @unchecked Sendable {
    public convenience init(label: String) { self.init() }
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { DispatchQueue(label: "") }
    public class var main: DispatchQueue { DispatchQueue(label: "") }
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
    public func async(execute workItem: DispatchWorkItem) {}
    public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void) {}
    public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
}

public final class DispatchGroup: DispatchObject, @unchecked Sendable {}
public class DispatchWorkItem {}
public struct DispatchWorkItemFlags: OptionSet, RawRepresentable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
}

public struct DispatchQoS: Equatable, Sendable {
    public static let unspecified = DispatchQoS()
    public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
    public static func == (a: DispatchQoS, b: DispatchQoS) -> Bool { true }
}

public final class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) {}
    @discardableResult public func signal() -> Int { 0 }
    public func wait() {}
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
    public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult { .success }
}

public struct DispatchTime: Comparable, Sendable {
    public static func now() -> DispatchTime { DispatchTime() }
    public static let distantFuture = DispatchTime()
    public static func < (a: DispatchTime, b: DispatchTime) -> Bool { false }
    public static func == (a: DispatchTime, b: DispatchTime) -> Bool { false }
}
public struct DispatchWallTime: Comparable, Sendable {
    public static func now() -> DispatchWallTime { DispatchWallTime() }
    public static func < (a: DispatchWallTime, b: DispatchWallTime) -> Bool { false }
    public static func == (a: DispatchWallTime, b: DispatchWallTime) -> Bool { false }
}
public enum DispatchTimeInterval: Equatable, Sendable { case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never }
@frozen public enum DispatchTimeoutResult: Sendable { case success, timedOut }
public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
public func + (time: DispatchWallTime, interval: DispatchTimeInterval) -> DispatchWallTime { time }
