// What Apple's module Foundation declares, as far as this package uses it: a stub for type checks on Linux. Classes of Objective-C are in Foundation.h. Nothing here can run.
//
// Signatures and availability (the macOS versions) are Apple's, from its public documentation and, for the parts that Swift's own Foundation shares
// (PredicateExpressions, AttributedString, Calendar …), from the symbol graph of the toolchain's FoundationEssentials, whose declarations carry the
// availability of Apple's platforms. Sendable is declared for exactly the types that Apple documents as Sendable: NSPredicate, NSExpression, NSArray,
// NSString, NSSet and Thread are not among them.
// Compile it with -enable-library-evolution: then its enums are not frozen, as on Apple's platforms, and a switch needs `@unknown default`.
@_exported import Foundation
@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
@_exported import ObjectiveC

// MARK: Protocols and functions of Objective-C


public protocol NSLocking {
    func lock()
    func unlock()
}

public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }
public func NSClassFromString(_ aClassName: String) -> AnyClass? { nil }
public func NSStringFromClass(_ aClass: AnyClass) -> String { "" }
public let NSNotFound: Int = Int.max
public func NSLog(_ format: String, _ args: any CVarArg...) {}

/// A Swift type with a class of Objective-C behind it.
public protocol ReferenceConvertible: _ObjectiveCBridgeable, CustomStringConvertible, CustomDebugStringConvertible, Hashable {
    associatedtype ReferenceType: NSObject, NSCopying
}

// MARK: Errors

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}
open class NSError: NSObject, NSCopying, @unchecked Sendable, Error {
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open var localizedDescription: String { "" }
}
extension Error { public var localizedDescription: String { "" } }

// MARK: Ranges, order of results

@frozen public struct NSRange: Equatable, Hashable, Sendable {
    public var location: Int
    public var length: Int
    public init() { (location, length) = (0, 0) }
    public init(location: Int, length: Int) { (self.location, self.length) = (location, length) }
    public init<R: RangeExpression, S: StringProtocol>(_ region: R, in target: S) where R.Bound == S.Index { self.init() }
}
public typealias _NSRange = NSRange

@frozen public enum ComparisonResult: Int, Sendable { case orderedAscending = -1, orderedSame, orderedDescending }

@available(macOS 12, *)
@frozen public enum SortOrder: Hashable, Codable, Sendable { case forward, reverse }

@available(macOS 12, *)
@preconcurrency public protocol SortComparator<Compared>: Hashable, Sendable {
    associatedtype Compared
    var order: SortOrder { get set }
    func compare(_ lhs: Compared, _ rhs: Compared) -> ComparisonResult
}

@available(macOS 12, *)
extension Sequence {
    public func sorted<Comparator: SortComparator>(using comparator: Comparator) -> [Element] where Comparator.Compared == Element { [] }
    public func sorted<S: Sequence, Comparator: SortComparator>(using comparators: S) -> [Element]
    where S.Element == Comparator, Element == Comparator.Compared { [] }
}

// MARK: Numbers, null and texts


@frozen public struct Decimal: Sendable, Hashable, Codable, Comparable, SignedNumeric, Strideable, ExpressibleByFloatLiteral, CustomStringConvertible {
    public init() {}
    public init(_ value: Double) {}
    public init(_ value: Int) {}
    public init(_ value: Int8) {}
    public init(_ value: Int16) {}
    public init(_ value: Int32) {}
    public init(_ value: Int64) {}
    public init(_ value: UInt) {}
    public init(_ value: UInt8) {}
    public init(_ value: UInt16) {}
    public init(_ value: UInt32) {}
    public init(_ value: UInt64) {}
    public init(integerLiteral value: Int) {}
    public init(floatLiteral value: Double) {}
    public init?(string: String, locale: Locale? = nil) {}
    public init?<T: BinaryInteger>(exactly source: T) {}
    public var isNaN: Bool { false }
    public static let nan = Decimal()
    public var significand: Decimal { self }
    public var exponent: Int { 0 }
    public var magnitude: Decimal { self }
    public var description: String { "" }
    public static func + (lhs: Decimal, rhs: Decimal) -> Decimal { lhs }
    public static func - (lhs: Decimal, rhs: Decimal) -> Decimal { lhs }
    public static func * (lhs: Decimal, rhs: Decimal) -> Decimal { lhs }
    public static func *= (lhs: inout Decimal, rhs: Decimal) {}
    public static func < (lhs: Decimal, rhs: Decimal) -> Bool { false }
    public func distance(to other: Decimal) -> Decimal { self }
    public func advanced(by n: Decimal) -> Decimal { self }
}
extension Decimal: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDecimalNumber { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSDecimalNumber, result: inout Decimal?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSDecimalNumber, result: inout Decimal?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDecimalNumber?) -> Decimal { Decimal() }
}

extension String: _ObjectiveCBridgeable {
    public typealias CompareOptions = NSString.CompareOptions
    public init(_ cocoaString: NSString) { self = "" }
    public func _bridgeToObjectiveC() -> NSString { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSString, result: inout String?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSString, result: inout String?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { "" }
}
extension String {
    public init(format: __shared String, _ arguments: any CVarArg...) { self = "" }
    public init?(data: __shared Data, encoding: Encoding) { self = "" }
    public init(contentsOfFile path: __shared String, encoding enc: Encoding) throws { self = "" }
    public struct Encoding: RawRepresentable, Sendable, Equatable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let utf8 = Encoding(rawValue: 4)
        public static let utf16 = Encoding(rawValue: 10)
        public static let isoLatin1 = Encoding(rawValue: 5)
        public static let ascii = Encoding(rawValue: 1)
    }
}
public struct CharacterSet: Equatable, Hashable, Sendable {
    public init() {}
    public init(charactersIn string: String) {}
    public static var whitespaces: CharacterSet { CharacterSet() }
    public static var whitespacesAndNewlines: CharacterSet { CharacterSet() }
    public static var newlines: CharacterSet { CharacterSet() }
}
extension StringProtocol {
    public func trimmingCharacters(in set: CharacterSet) -> String { "" }
    public func addingPercentEncoding(withAllowedCharacters allowedCharacters: CharacterSet) -> String? { nil }
    public func replacingOccurrences<Target: StringProtocol, Replacement: StringProtocol>(
        of target: Target, with replacement: Replacement, options: String.CompareOptions = [], range searchRange: Range<Index>? = nil) -> String { "" }
    public func range<T: StringProtocol>(
        of aString: T, options mask: String.CompareOptions = [], range searchRange: Range<Index>? = nil, locale: Locale? = nil) -> Range<Index>? { nil }
    public func contains<T: StringProtocol>(_ other: T) -> Bool { false }
    public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { [] }
    public var capitalized: String { "" }
    public var precomposedStringWithCanonicalMapping: String { "" }
    public var decomposedStringWithCanonicalMapping: String { "" }
    public func compare<T: StringProtocol>(
        _ aString: T, options mask: String.CompareOptions = [], range: Range<Index>? = nil, locale: Locale? = nil) -> ComparisonResult { .orderedSame }
    public func localizedStandardCompare<T: StringProtocol>(_ string: T) -> ComparisonResult { .orderedSame }
    public func folding(options: String.CompareOptions = [], locale: Locale?) -> String { "" }
    public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
}

// MARK: Collections

public struct NSFastEnumerationIterator: IteratorProtocol {
    public mutating func next() -> Any? { nil }
}
extension Array: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSArray { NSArray() }
    public static func _forceBridgeFromObjectiveC(_ x: NSArray, result: inout [Element]?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSArray, result: inout [Element]?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> [Element] { [] }
}

// MARK: Data, dates, identifiers, addresses, locales

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
@frozen public struct Data: Equatable, Hashable, Codable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection, DataProtocol, Sendable,
    ReferenceConvertible
{
    public typealias ReferenceType = NSData
    public typealias Index = Int
    public typealias SubSequence = Data
    public typealias WritingOptions = NSData.WritingOptions
    public typealias ReadingOptions = NSData.ReadingOptions
    public init() {}
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
    public init(contentsOf url: __shared URL, options: ReadingOptions = []) throws {}
    public init(bytes: UnsafeRawPointer, count: Int) {}
    public func write(to url: URL, options: WritingOptions = []) throws {}
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(index: Int) -> UInt8 { get { 0 } set {} }
    public subscript(bounds: Range<Int>) -> Data { get { self } set {} }
    public mutating func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: C) where C.Element == UInt8 {}
    public func base64EncodedString() -> String { "" }
    public var description: String { "" }
    public var debugDescription: String { "" }
    public func _bridgeToObjectiveC() -> NSData { NSData() }
    public static func _forceBridgeFromObjectiveC(_ x: NSData, result: inout Data?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSData, result: inout Data?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data { Data() }
}

public typealias TimeInterval = Double
public struct Date: ReferenceConvertible, Comparable, Codable, Sendable, Strideable {
    public typealias ReferenceType = NSDate
    public init() {}
    public init(timeIntervalSinceReferenceDate ti: TimeInterval) {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
    public var timeIntervalSince1970: TimeInterval { 0 }
    public static var now: Date { Date() }
    public static func < (lhs: Date, rhs: Date) -> Bool { false }
    @available(macOS 10.15, *) public func advanced(by n: TimeInterval) -> Date { self }
    @available(macOS 10.15, *) public func distance(to other: Date) -> TimeInterval { 0 }
    public var description: String { "" }
    public var debugDescription: String { "" }
    public func _bridgeToObjectiveC() -> NSDate { NSDate() }
    public static func _forceBridgeFromObjectiveC(_ x: NSDate, result: inout Date?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSDate, result: inout Date?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDate?) -> Date { Date() }
}

public typealias uuid_t = (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)
public struct UUID: ReferenceConvertible, Codable, Sendable {
    public typealias ReferenceType = NSUUID
    public init() {}
    public init?(uuidString string: __shared String) {}
    public init(uuid: uuid_t) {}
    public var uuid: uuid_t { (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }
    public var uuidString: String { "" }
    public var description: String { "" }
    public var debugDescription: String { "" }
    public func _bridgeToObjectiveC() -> NSUUID { NSUUID() }
    public static func _forceBridgeFromObjectiveC(_ x: NSUUID, result: inout UUID?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSUUID, result: inout UUID?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSUUID?) -> UUID { UUID() }
}
@available(macOS 14, *)
extension UUID: Comparable {
    public static func < (lhs: UUID, rhs: UUID) -> Bool { false }
}

public struct URL: ReferenceConvertible, Codable, Sendable {
    public typealias ReferenceType = NSURL
    public init?(string: __shared String) { nil }
    @available(macOS 14, *) public init?(string: __shared String, encodingInvalidCharacters: Bool) { nil }
    public init?(string: __shared String, relativeTo url: __shared URL?) { nil }
    @available(macOS, introduced: 10.10, deprecated: 100000, message: "Use init(filePath:directoryHint:relativeTo:) instead")
    public init(fileURLWithPath path: __shared String) { fatalError() }
    @available(macOS, introduced: 10.10, deprecated: 100000, message: "Use init(filePath:directoryHint:relativeTo:) instead")
    public init(fileURLWithPath path: __shared String, isDirectory: Bool) { fatalError() }
    public var absoluteString: String { "" }
    public var isFileURL: Bool { false }
    @available(macOS, introduced: 10.10, deprecated: 100000, message: "Use path(percentEncoded:) instead")
    public var path: String { "" }
    @available(macOS 13, *) public func path(percentEncoded: Bool = true) -> String { "" }
    public var lastPathComponent: String { "" }
    public var pathExtension: String { "" }
    public var standardizedFileURL: URL { self }
    public func resolvingSymlinksInPath() -> URL { self }
    @available(macOS, introduced: 10.10, deprecated: 100000, message: "Use appending(path:directoryHint:) instead")
    public func appendingPathComponent(_ pathComponent: String) -> URL { self }
    public func deletingLastPathComponent() -> URL { self }
    public var description: String { "" }
    public var debugDescription: String { "" }
    public func _bridgeToObjectiveC() -> NSURL { NSURL() }
    public static func _forceBridgeFromObjectiveC(_ x: NSURL, result: inout URL?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSURL, result: inout URL?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL { fatalError() }
}

public struct Locale: Hashable, Codable, Sendable {
    public init(identifier: String) {}
    public static var current: Locale { Locale(identifier: "") }
    public var identifier: String { "" }
}
public struct TimeZone: Hashable, Codable, Sendable {
    public init?(identifier: __shared String) {}
    public init?(secondsFromGMT seconds: Int) {}
    public var identifier: String { "" }
    public func secondsFromGMT(for date: Date = Date()) -> Int { 0 }
    public static var current: TimeZone { fatalError() }
    @available(macOS 13, *) public static var gmt: TimeZone { fatalError() }
}
public struct Calendar: Hashable, Codable, Sendable {
    public enum Identifier: Sendable { case gregorian, buddhist, iso8601 }
    public enum Component: Sendable {
        case era, year, month, day, hour, minute, second, weekday, weekdayOrdinal, quarter, weekOfMonth, weekOfYear, yearForWeekOfYear, nanosecond, calendar, timeZone
        @available(macOS 14, *) case isLeapMonth
        @available(macOS 15, *) case isRepeatedDay, dayOfYear
    }
    public init(identifier: __shared Identifier) {}
    public static var current: Calendar { Calendar(identifier: .gregorian) }
    public var timeZone: TimeZone { get { .current } set {} }
    public func date(byAdding component: Component, value: Int, to date: Date, wrappingComponents: Bool = false) -> Date? { nil }
    public func date(byAdding components: DateComponents, to date: Date, wrappingComponents: Bool = false) -> Date? { nil }
    public func date(from components: DateComponents) -> Date? { nil }
    public func startOfDay(for date: Date) -> Date { date }
}
public struct DateComponents: Hashable, Codable, Sendable {
    public init(
        calendar: Calendar? = nil, timeZone: TimeZone? = nil, era: Int? = nil, year: Int? = nil, month: Int? = nil, day: Int? = nil, hour: Int? = nil,
        minute: Int? = nil, second: Int? = nil, nanosecond: Int? = nil, weekday: Int? = nil, weekdayOrdinal: Int? = nil, quarter: Int? = nil,
        weekOfMonth: Int? = nil, weekOfYear: Int? = nil, yearForWeekOfYear: Int? = nil) {}
    public var isValidDate: Bool { false }
    public func isValidDate(in calendar: Calendar) -> Bool { false }
}

// MARK: Regular expressions

open class NSTextCheckingResult: NSObject, NSCopying, @unchecked Sendable {
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open var range: NSRange { NSRange() }
}
open class NSRegularExpression: NSObject, NSCopying, @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var caseInsensitive: Options { [] }
        public static var dotMatchesLineSeparators: Options { [] }
    }
    public struct MatchingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var reportProgress: MatchingOptions { [] }
        public static var reportCompletion: MatchingOptions { [] }
        public static var anchored: MatchingOptions { [] }
    }
    public struct MatchingFlags: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var progress: MatchingFlags { [] }
        public static var completed: MatchingFlags { [] }
        public static var internalError: MatchingFlags { [] }
    }
    public init(pattern: String, options: Options = []) throws {}
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open func enumerateMatches(
        in string: String, options: MatchingOptions = [], range: NSRange,
        using block: (NSTextCheckingResult?, MatchingFlags, UnsafeMutablePointer<ObjCBool>) -> Void) {}
}

// MARK: Files, processes, threads

public struct FileAttributeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public static let type = FileAttributeKey("")
    public static let size = FileAttributeKey("")
    public static let posixPermissions = FileAttributeKey("")
}
public struct FileAttributeType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let typeDirectory = FileAttributeType(rawValue: "")
    public static let typeRegular = FileAttributeType(rawValue: "")
    public static let typeSymbolicLink = FileAttributeType(rawValue: "")
}
open class FileManager: NSObject {
    open class var `default`: FileManager { FileManager() }
    open var currentDirectoryPath: String { "" }
    @available(macOS 10.12, *) open var temporaryDirectory: URL { fatalError() }
    open func fileExists(atPath path: String) -> Bool { false }
    open func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { false }
    open func isExecutableFile(atPath path: String) -> Bool { false }
    open func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
    open func destinationOfSymbolicLink(atPath path: String) throws -> String { "" }
    open func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { [:] }
    open func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
    open func removeItem(at URL: URL) throws {}
    open func removeItem(atPath path: String) throws {}
    open func createDirectory(atPath path: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil) throws {}
}
open class FileHandle: NSObject, NSSecureCoding, @unchecked Sendable {
    public required init?(coder: NSCoder) { super.init() }
    public convenience init?(forReadingAtPath path: String) { nil }
    public convenience init(fileDescriptor fd: Int32) { fatalError() }
    public convenience init(fileDescriptor fd: Int32, closeOnDealloc closeopt: Bool) { fatalError() }
    @available(macOS 10.15, *) open func seek(toOffset offset: UInt64) throws {}
    open func encode(with coder: NSCoder) {}
    open class var supportsSecureCoding: Bool { true }
    open class var nullDevice: FileHandle { fatalError() }
    open class var standardInput: FileHandle { fatalError() }
    open var fileDescriptor: Int32 { 0 }
    @available(macOS 10.15.4, *) public func read(upToCount count: Int) throws -> Data? { nil }
    @available(macOS 10.15.4, *) public func readToEnd() throws -> Data? { nil }
    @available(macOS 10.15.4, *) public func write<T: DataProtocol>(contentsOf data: T) throws {}
    @available(macOS 10.15, *) public func close() throws {}
}
open class Pipe: NSObject, @unchecked Sendable {
    public override init() {}
    open var fileHandleForReading: FileHandle { fatalError() }
    open var fileHandleForWriting: FileHandle { fatalError() }
}
open class Process: NSObject, @unchecked Sendable {
    public enum TerminationReason: Int, Sendable { case exit = 1, uncaughtSignal = 2 }
    open var terminationReason: TerminationReason { .exit }
    public override init() {}
    @available(macOS 10.13, *) open var executableURL: URL? { get { nil } set {} }
    open var arguments: [String]? { get { nil } set {} }
    open var environment: [String: String]? { get { nil } set {} }
    open var standardInput: Any? { get { nil } set {} }
    open var standardOutput: Any? { get { nil } set {} }
    open var standardError: Any? { get { nil } set {} }
    @available(macOS 10.13, *) open func run() throws {}
    open func terminate() {}
    open var isRunning: Bool { false }
    open var terminationStatus: Int32 { 0 }
    open func waitUntilExit() {}
}
open class ProcessInfo: NSObject, @unchecked Sendable {
    open class var processInfo: ProcessInfo { ProcessInfo() }
    open var environment: [String: String] { [:] }
    open var activeProcessorCount: Int { 1 }
    open var processIdentifier: Int32 { 0 }
}
open class Thread: NSObject {
    @available(macOS 10.12, *) open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
}
open class NSCondition: NSObject, NSLocking, @unchecked Sendable {
    open func lock() {}
    open func unlock() {}
    open func wait() {}
    open func signal() {}
    open func broadcast() {}
}

// MARK: Attributed texts

@available(macOS 12, *)
public protocol AttributedStringKey: SendableMetatype { associatedtype Value: Hashable }
@available(macOS 12, *)
public protocol AttributeScope: SendableMetatype {}
@available(macOS 12, *)
@dynamicMemberLookup @frozen public enum AttributeDynamicLookup: Sendable {
    public subscript<T: AttributedStringKey>(_: T.Type) -> T { fatalError() }
    public subscript<T: AttributedStringKey>(dynamicMember keyPath: KeyPath<AttributeScopes.FoundationAttributes, T>) -> T { fatalError() }
}
@available(macOS 12, *)
@frozen public enum AttributeScopes {
    public struct FoundationAttributes: AttributeScope {
        public let alternateDescription: AlternateDescriptionAttribute
        public let inlinePresentationIntent: InlinePresentationIntentAttribute
        @frozen public enum AlternateDescriptionAttribute: AttributedStringKey { public typealias Value = String }
        @frozen public enum InlinePresentationIntentAttribute: AttributedStringKey { public typealias Value = InlinePresentationIntent }
    }
}
@available(macOS 12, *)
public struct InlinePresentationIntent: OptionSet, Hashable, Codable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let emphasized = InlinePresentationIntent(rawValue: 1)
    public static let stronglyEmphasized = InlinePresentationIntent(rawValue: 2)
}
@available(macOS 12, *)
public protocol AttributedStringProtocol: Hashable, CustomStringConvertible, Sendable {}
@available(macOS 12, *)
public struct AttributeContainer: Sendable { public init() {} }
@available(macOS 12, *)
@dynamicMemberLookup public struct AttributedString: AttributedStringProtocol, ExpressibleByStringLiteral {
    public struct Index: Comparable, Sendable { public static func < (left: Index, right: Index) -> Bool { false } }
    public init() {}
    public init(_ string: String, attributes: AttributeContainer = .init()) {}
    public init(_ substring: Substring, attributes: AttributeContainer = .init()) {}
    public init<S: Sequence>(_ elements: S, attributes: AttributeContainer = .init()) where S.Element == Character {}
    public init(_ substring: AttributedSubstring) {}
    public init(stringLiteral value: String) {}
    public var description: String { "" }
    public subscript(bounds: some RangeExpression<Index>) -> AttributedSubstring { get { AttributedSubstring() } set {} }
    @preconcurrency public subscript<K: AttributedStringKey>(_: K.Type) -> K.Value? where K.Value: Sendable { get { nil } set {} }
    @preconcurrency public subscript<K: AttributedStringKey>(dynamicMember keyPath: KeyPath<AttributeDynamicLookup, K>) -> K.Value? where K.Value: Sendable { get { nil } set {} }
}
@available(macOS 12, *)
@dynamicMemberLookup public struct AttributedSubstring: AttributedStringProtocol {
    public init() {}
    public var description: String { "" }
    @preconcurrency public subscript<K: AttributedStringKey>(_: K.Type) -> K.Value? where K.Value: Sendable { get { nil } set {} }
    @preconcurrency public subscript<K: AttributedStringKey>(dynamicMember keyPath: KeyPath<AttributeDynamicLookup, K>) -> K.Value? where K.Value: Sendable { get { nil } set {} }
}
@available(macOS 12, *)
extension Range where Bound == AttributedString.Index {
    public init?<R: RangeExpression, S: AttributedStringProtocol>(_ region: R, in attributedString: S) where R.Bound == String.Index { nil }
}
@available(macOS 12, *)
extension Range where Bound == String.Index {
    public init?<R: RangeExpression, S: StringProtocol>(_ region: R, in string: S) where R.Bound == AttributedString.Index { nil }
}
extension Range where Bound == String.Index {
    public init?(_ range: NSRange, in string: __shared String) { nil }
}

// MARK: NSPredicate

extension NSPredicate {
    public convenience init(format predicateFormat: String, _ args: any CVarArg...) { self.init(format: predicateFormat, argumentArray: nil) }
    @available(macOS 14, *)
    public convenience init?<Input: NSObject>(_ predicate: Predicate<Input>) { nil }
}

extension NSExpression {
    public convenience init(format expressionFormat: String, _ args: any CVarArg...) { fatalError() }
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) { fatalError() }
}

open class NSSortDescriptor: NSObject, NSSecureCoding, NSCopying {
    public init(key: String?, ascending: Bool) {}
    public init(key: String?, ascending: Bool, selector: Selector?) {}
    public required init?(coder: NSCoder) { super.init() }
    open class var supportsSecureCoding: Bool { true }
    open func encode(with coder: NSCoder) {}
    open func copy(with zone: NSZone? = nil) -> Any { self }
    open var key: String? { nil }
    open var ascending: Bool { true }
    open var selector: Selector? { nil }
    open var keyPath: AnyKeyPath? { nil }
    open func compare(_ object1: Any, to object2: Any) -> ComparisonResult { .orderedSame }
}

// MARK: Predicate

@available(macOS 14, *)
public protocol PredicateExpression<Output> {
    associatedtype Output
    func evaluate(_ bindings: PredicateBindings) throws -> Output
}
@available(macOS 14, *)
public protocol StandardPredicateExpression<Output>: PredicateExpression, Codable, Sendable {}
@available(macOS 14, *)
public struct PredicateBindings {
    public init<each T>(_ value: repeat (PredicateExpressions.Variable<each T>, each T)) {}
    public subscript<T>(_ variable: PredicateExpressions.Variable<T>) -> T? { get { nil } set {} }
}
@available(macOS 14, *)
public struct Predicate<each Input>: Sendable {
    public let expression: any StandardPredicateExpression<Bool>
    public let variable: (repeat PredicateExpressions.Variable<each Input>)
    public init(_ builder: (repeat PredicateExpressions.Variable<each Input>) -> any StandardPredicateExpression<Bool>) { fatalError() }
    public func evaluate(_ input: repeat each Input) throws -> Bool { false }
}
@available(macOS 14, *)
extension Predicate: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 15, *)
public struct Expression<each Input, Output>: Sendable {
    public let expression: any StandardPredicateExpression<Output>
    public let variable: (repeat PredicateExpressions.Variable<each Input>)
    public init(_ builder: (repeat PredicateExpressions.Variable<each Input>) -> any StandardPredicateExpression<Output>) { fatalError() }
}

@available(macOS 14, *)
@frozen public enum PredicateExpressions {
    public struct VariableID: Hashable, Codable, Sendable {}
    public enum ArithmeticOperator: Codable, Sendable, Hashable { case add, subtract, multiply }
    public enum ComparisonOperator: Codable, Sendable, Hashable { case lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual }
    public struct Variable<Output>: StandardPredicateExpression {
        public let key: VariableID
        public init() { fatalError() }
        public init(from decoder: any Decoder) throws { fatalError() }
        public func encode(to encoder: any Encoder) throws {}
        public func evaluate(_ bindings: PredicateBindings) throws -> Output { fatalError() }
    }
    public struct Value<Output>: PredicateExpression {
        public let value: Output
        public init(_ value: Output) { self.value = value }
        public func evaluate(_ bindings: PredicateBindings) throws -> Output { value }
    }
    public struct NilLiteral<Wrapped>: StandardPredicateExpression {
        public typealias Output = Wrapped?
        public init() {}
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped? { nil }
    }
    public struct KeyPath<Root: PredicateExpression, Output>: PredicateExpression {
        public enum CommonKeyPathKind: Hashable, Sendable { case collectionCount, collectionIsEmpty, collectionFirst, bidirectionalCollectionLast }
        public let root: Root
        public let keyPath: any Swift.KeyPath<Root.Output, Output> & Sendable
        public init(root: Root, keyPath: any Swift.KeyPath<Root.Output, Output> & Sendable) { fatalError() }
        public var kind: CommonKeyPathKind? { nil }
        public func evaluate(_ bindings: PredicateBindings) throws -> Output { fatalError() }
    }
    public struct Arithmetic<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Numeric, LHS.Output == RHS.Output {
        public typealias Output = LHS.Output
        public let lhs: LHS
        public let op: ArithmeticOperator
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS, op: ArithmeticOperator) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> LHS.Output { fatalError() }
    }
    public struct ClosedRange<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Comparable, LHS.Output == RHS.Output {
        public typealias Output = Swift.ClosedRange<LHS.Output>
        public let lower: LHS
        public let upper: RHS
        public init(lower: LHS, upper: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Swift.ClosedRange<LHS.Output> { fatalError() }
    }
    public struct CollectionContainsCollection<Base, Other>: PredicateExpression where Base : PredicateExpression, Other : PredicateExpression, Base.Output : Collection, Other.Output : Collection, Base.Output.Element : Equatable, Base.Output.Element == Other.Output.Element {
        public typealias Output = Bool
        public let base: Base
        public let other: Other
        public init(base: Base, other: Other) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct CollectionIndexSubscript<Wrapped, Index>: PredicateExpression where Wrapped : PredicateExpression, Index : PredicateExpression, Wrapped.Output : Collection, Index.Output == Wrapped.Output.Index {
        public typealias Output = Wrapped.Output.Element
        public let index: Index
        public let wrapped: Wrapped
        public init(wrapped: Wrapped, index: Index) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped.Output.Element { fatalError() }
    }
    public struct CollectionRangeSubscript<Wrapped, Range>: PredicateExpression where Wrapped : PredicateExpression, Range : PredicateExpression, Wrapped.Output : Collection, Range.Output == Swift.Range<Wrapped.Output.Index> {
        public typealias Output = Wrapped.Output.SubSequence
        public let range: Range
        public let wrapped: Wrapped
        public init(wrapped: Wrapped, range: Range) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped.Output.SubSequence { fatalError() }
    }
    public struct Comparison<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Comparable, LHS.Output == RHS.Output {
        public typealias Output = Bool
        public let lhs: LHS
        public let op: ComparisonOperator
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS, op: ComparisonOperator) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct Conditional<Test, If, Else>: PredicateExpression where Test : PredicateExpression, If : PredicateExpression, Else : PredicateExpression, Test.Output == Bool, If.Output == Else.Output {
        public typealias Output = If.Output
        public let falseBranch: Else
        public let test: Test
        public let trueBranch: If
        public init(test: Test, trueBranch: If, falseBranch: Else) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> If.Output { fatalError() }
    }
    public struct ConditionalCast<Input, Desired>: PredicateExpression where Input : PredicateExpression {
        public typealias Output = Desired?
        public let input: Input
        public init(_ input: Input) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Desired? { fatalError() }
    }
    public struct Conjunction<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output == Bool, RHS.Output == Bool {
        public typealias Output = Bool
        public let lhs: LHS
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct DictionaryKeyDefaultValueSubscript<Wrapped, Key, Default>: PredicateExpression where Wrapped : PredicateExpression, Key : PredicateExpression, Default : PredicateExpression, Wrapped.Output == [Key.Output : Default.Output], Key.Output : Hashable {
        public typealias Output = Default.Output
        public let `default`: Default
        public let key: Key
        public let wrapped: Wrapped
        public init(wrapped: Wrapped, key: Key, default: Default) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Default.Output { fatalError() }
    }
    public struct DictionaryKeySubscript<Wrapped, Key, Value>: PredicateExpression where Wrapped : PredicateExpression, Key : PredicateExpression, Wrapped.Output == [Key.Output : Value], Key.Output : Hashable {
        public typealias Output = Value?
        public let key: Key
        public let wrapped: Wrapped
        public init(wrapped: Wrapped, key: Key) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Value? { fatalError() }
    }
    public struct Disjunction<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output == Bool, RHS.Output == Bool {
        public typealias Output = Bool
        public let lhs: LHS
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct Equal<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Equatable, LHS.Output == RHS.Output {
        public typealias Output = Bool
        public let lhs: LHS
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct Filter<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Sequence, RHS.Output == Bool {
        public typealias Output = [LHS.Output.Element]
        public let filter: RHS
        public let sequence: LHS
        public let variable: Variable<Element>
        public init(_ sequence: LHS, _ builder: (Variable<Element>) -> RHS) { fatalError() }
        public typealias Element = LHS.Output.Element
        public func evaluate(_ bindings: PredicateBindings) throws -> [LHS.Output.Element] { fatalError() }
    }
    public struct FloatDivision<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : FloatingPoint, LHS.Output == RHS.Output {
        public typealias Output = LHS.Output
        public let lhs: LHS
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> LHS.Output { fatalError() }
    }
    public struct ForceCast<Input, Desired>: PredicateExpression where Input : PredicateExpression {
        public typealias Output = Desired
        public let input: Input
        public init(_ input: Input) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Desired { fatalError() }
    }
    public struct ForcedUnwrap<Inner, Wrapped>: PredicateExpression where Inner : PredicateExpression, Inner.Output == Wrapped? {
        public typealias Output = Wrapped
        public let inner: Inner
        public init(_ inner: Inner) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped { fatalError() }
    }
    public struct IntDivision<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : BinaryInteger, LHS.Output == RHS.Output {
        public typealias Output = LHS.Output
        public let lhs: LHS
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> LHS.Output { fatalError() }
    }
    public struct IntRemainder<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : BinaryInteger, LHS.Output == RHS.Output {
        public typealias Output = LHS.Output
        public let lhs: LHS
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> LHS.Output { fatalError() }
    }
    public struct Negation<Wrapped>: PredicateExpression where Wrapped : PredicateExpression, Wrapped.Output == Bool {
        public typealias Output = Bool
        public let wrapped: Wrapped
        public init(_ wrapped: Wrapped) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct NilCoalesce<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output == RHS.Output? {
        public typealias Output = RHS.Output
        public let lhs: LHS
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> RHS.Output { fatalError() }
    }
    public struct NotEqual<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Equatable, LHS.Output == RHS.Output {
        public typealias Output = Bool
        public let lhs: LHS
        public let rhs: RHS
        public init(lhs: LHS, rhs: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct OptionalFlatMap<LHS, Wrapped, RHS, Result>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output == Wrapped? {
        public typealias Output = Result?
        public let transform: RHS
        public let variable: Variable<Wrapped>
        public let wrapped: LHS
        public init(_ wrapped: LHS, _ builder: (Variable<Wrapped>) -> RHS) where RHS.Output == Result? { fatalError() }
        public init(_ wrapped: LHS, _ builder: (Variable<Wrapped>) -> RHS) where Result == RHS.Output { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Result? { fatalError() }
    }
    public struct Range<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Comparable, LHS.Output == RHS.Output {
        public typealias Output = Swift.Range<LHS.Output>
        public let lower: LHS
        public let upper: RHS
        public init(lower: LHS, upper: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Swift.Range<LHS.Output> { fatalError() }
    }
    public struct RangeExpressionContains<RangeExpression, Element>: PredicateExpression where RangeExpression : PredicateExpression, Element : PredicateExpression, RangeExpression.Output : Swift.RangeExpression, Element.Output == RangeExpression.Output.Bound {
        public typealias Output = Bool
        public let element: Element
        public let range: RangeExpression
        public init(range: RangeExpression, element: Element) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct SequenceAllSatisfy<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Sequence, RHS.Output == Bool {
        public typealias Output = Bool
        public let sequence: LHS
        public let test: RHS
        public let variable: Variable<Element>
        public init(_ sequence: LHS, builder: (Variable<Element>) -> RHS) { fatalError() }
        public typealias Element = LHS.Output.Element
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct SequenceContains<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Sequence, RHS.Output : Equatable, RHS.Output == LHS.Output.Element {
        public typealias Output = Bool
        public let element: RHS
        public let sequence: LHS
        public init(sequence: LHS, element: RHS) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct SequenceContainsWhere<LHS, RHS>: PredicateExpression where LHS : PredicateExpression, RHS : PredicateExpression, LHS.Output : Sequence, RHS.Output == Bool {
        public typealias Output = Bool
        public let sequence: LHS
        public let test: RHS
        public let variable: Variable<Element>
        public init(_ sequence: LHS, builder: (Variable<Element>) -> RHS) { fatalError() }
        public typealias Element = LHS.Output.Element
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct SequenceMaximum<Elements>: PredicateExpression where Elements : PredicateExpression, Elements.Output : Sequence, Elements.Output.Element : Comparable {
        public typealias Output = Elements.Output.Element?
        public let elements: Elements
        public init(elements: Elements) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Elements.Output.Element? { fatalError() }
    }
    public struct SequenceMinimum<Elements>: PredicateExpression where Elements : PredicateExpression, Elements.Output : Sequence, Elements.Output.Element : Comparable {
        public typealias Output = Elements.Output.Element?
        public let elements: Elements
        public init(elements: Elements) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Elements.Output.Element? { fatalError() }
    }
    public struct SequenceStartsWith<Base, Prefix>: PredicateExpression where Base : PredicateExpression, Prefix : PredicateExpression, Base.Output : Sequence, Prefix.Output : Sequence, Base.Output.Element : Equatable, Base.Output.Element == Prefix.Output.Element {
        public typealias Output = Bool
        public let base: Base
        public let prefix: Prefix
        public init(base: Base, prefix: Prefix) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct TypeCheck<Input, Desired>: PredicateExpression where Input : PredicateExpression {
        public typealias Output = Bool
        public let input: Input
        public init(_ input: Input) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { fatalError() }
    }
    public struct UnaryMinus<Wrapped>: PredicateExpression where Wrapped : PredicateExpression, Wrapped.Output : SignedNumeric {
        public typealias Output = Wrapped.Output
        public let wrapped: Wrapped
        public init(_ wrapped: Wrapped) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped.Output { fatalError() }
    }
    /// Only on Apple's platforms.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = Bool
        public let root: Root
        public let other: Other
        public init(root: Root, other: Other) { fatalError() }
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { false }
    }
}

// Each expression is Codable, Sendable and standard if its parts are.
@available(macOS 14, *)
extension PredicateExpressions.Value: Codable where Output: Codable {}
@available(macOS 14, *)
extension PredicateExpressions.Value: Sendable where Output: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Value: StandardPredicateExpression where Output: Codable {}
@available(macOS 14, *)
extension PredicateExpressions.Arithmetic: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.Arithmetic: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Arithmetic: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.ClosedRange: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.ClosedRange: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.ClosedRange: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.CollectionContainsCollection: Codable where Base: Codable, Other: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.CollectionContainsCollection: Sendable where Base: Sendable, Other: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.CollectionContainsCollection: StandardPredicateExpression where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.CollectionIndexSubscript: Codable where Wrapped: Codable, Index: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.CollectionIndexSubscript: Sendable where Wrapped: Sendable, Index: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.CollectionIndexSubscript: StandardPredicateExpression where Wrapped: StandardPredicateExpression, Index: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.CollectionRangeSubscript: Codable where Wrapped: Codable, Range: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.CollectionRangeSubscript: Sendable where Wrapped: Sendable, Range: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.CollectionRangeSubscript: StandardPredicateExpression where Wrapped: StandardPredicateExpression, Range: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.Comparison: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.Comparison: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Comparison: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.Conditional: Codable where Test: Codable, If: Codable, Else: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.Conditional: Sendable where Test: Sendable, If: Sendable, Else: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Conditional: StandardPredicateExpression where Test: StandardPredicateExpression, If: StandardPredicateExpression, Else: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.ConditionalCast: Codable where Input: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.ConditionalCast: Sendable where Input: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.ConditionalCast: StandardPredicateExpression where Input: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.Conjunction: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.Conjunction: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Conjunction: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: Codable where Wrapped: Codable, Key: Codable, Default: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: Sendable where Wrapped: Sendable, Key: Sendable, Default: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: StandardPredicateExpression where Wrapped: StandardPredicateExpression, Key: StandardPredicateExpression, Default: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.DictionaryKeySubscript: Codable where Wrapped: Codable, Key: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.DictionaryKeySubscript: Sendable where Wrapped: Sendable, Key: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.DictionaryKeySubscript: StandardPredicateExpression where Wrapped: StandardPredicateExpression, Key: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.Disjunction: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.Disjunction: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Disjunction: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.Equal: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.Equal: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Equal: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.Filter: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.Filter: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Filter: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.FloatDivision: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.FloatDivision: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.FloatDivision: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.ForceCast: Codable where Input: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.ForceCast: Sendable where Input: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.ForceCast: StandardPredicateExpression where Input: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.ForcedUnwrap: Codable where Inner: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.ForcedUnwrap: Sendable where Inner: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.ForcedUnwrap: StandardPredicateExpression where Inner: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.IntDivision: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.IntDivision: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.IntDivision: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.IntRemainder: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.IntRemainder: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.IntRemainder: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.Negation: Codable where Wrapped: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.Negation: Sendable where Wrapped: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Negation: StandardPredicateExpression where Wrapped: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.NilCoalesce: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.NilCoalesce: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.NilCoalesce: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.NotEqual: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.NotEqual: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.NotEqual: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.OptionalFlatMap: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.OptionalFlatMap: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.OptionalFlatMap: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.Range: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.Range: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.Range: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.RangeExpressionContains: Codable where RangeExpression: Codable, Element: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.RangeExpressionContains: Sendable where RangeExpression: Sendable, Element: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.RangeExpressionContains: StandardPredicateExpression where RangeExpression: StandardPredicateExpression, Element: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceAllSatisfy: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.SequenceAllSatisfy: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceAllSatisfy: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceContains: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.SequenceContains: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceContains: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceContainsWhere: Codable where LHS: Codable, RHS: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.SequenceContainsWhere: Sendable where LHS: Sendable, RHS: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceContainsWhere: StandardPredicateExpression where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceMaximum: Codable where Elements: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.SequenceMaximum: Sendable where Elements: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceMaximum: StandardPredicateExpression where Elements: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceMinimum: Codable where Elements: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.SequenceMinimum: Sendable where Elements: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceMinimum: StandardPredicateExpression where Elements: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceStartsWith: Codable where Base: Codable, Prefix: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.SequenceStartsWith: Sendable where Base: Sendable, Prefix: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.SequenceStartsWith: StandardPredicateExpression where Base: StandardPredicateExpression, Prefix: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.TypeCheck: Codable where Input: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.TypeCheck: Sendable where Input: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.TypeCheck: StandardPredicateExpression where Input: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.UnaryMinus: Codable where Wrapped: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.UnaryMinus: Sendable where Wrapped: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.UnaryMinus: StandardPredicateExpression where Wrapped: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.KeyPath: Codable where Root: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.KeyPath: Sendable where Root: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.KeyPath: StandardPredicateExpression where Root: StandardPredicateExpression {}
@available(macOS 14, *)
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {
    public init(from decoder: any Decoder) throws { fatalError() }
    public func encode(to encoder: any Encoder) throws {}
}
@available(macOS 14, *)
extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
@available(macOS 14, *)
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension NSArray: Sequence { public final func makeIterator() -> NSFastEnumerationIterator { fatalError() } }
extension NSSet: Sequence { public final func makeIterator() -> NSFastEnumerationIterator { fatalError() } }
extension NSOrderedSet: Sequence { public final func makeIterator() -> NSFastEnumerationIterator { fatalError() } }

extension NSString {
    public struct CompareOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var caseInsensitive: CompareOptions { [] }
        public static var backwards: CompareOptions { [] }
        public static var anchored: CompareOptions { [] }
        public static var numeric: CompareOptions { [] }
        public static var diacriticInsensitive: CompareOptions { [] }
        public static var widthInsensitive: CompareOptions { [] }
        public static var forcedOrdering: CompareOptions { [] }
    }
    public func compare(_ string: String, options mask: CompareOptions = [], range: NSRange, locale: Any?) -> ComparisonResult { .orderedSame }
    public func range(of searchString: String, options mask: CompareOptions = [], range: NSRange, locale: Locale?) -> NSRange { NSRange() }
}
extension NSData {
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var atomic: WritingOptions { [] }
        public static var withoutOverwriting: WritingOptions { [] }
    }
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
}
extension Dictionary: @retroactive _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSDictionary, result: inout [Key: Value]?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSDictionary, result: inout [Key: Value]?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> [Key: Value] { [:] }
}
extension Set: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSSet { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ x: NSSet, result: inout Set<Element>?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ x: NSSet, result: inout Set<Element>?) -> Bool { true }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSSet?) -> Set<Element> { [] }
}
