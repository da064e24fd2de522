// What Apple's module ObjectiveC declares, as far as this package uses it: NSObject, its protocol, Selector and ObjCBool. For type checks only.
@_exported import ObjectiveC
@_exported import Darwin

public struct Selector: ExpressibleByStringLiteral, Equatable, Hashable, CustomStringConvertible, Sendable {
    public init(_ str: String) {}
    public init(stringLiteral value: String) {}
    public var description: String { "" }
}

@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    public init(_ value: Bool) {}
    public init(booleanLiteral value: Bool) {}
    public var boolValue: Bool { false }
}


extension NSObject: Equatable, Hashable, CVarArg {
    public static func == (lhs: NSObject, rhs: NSObject) -> Bool { false }
    public func hash(into hasher: inout Hasher) {}
    public var _cVarArgEncoding: [Int] { [] }
}
public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { ObjCBool(x) }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { x.boolValue }
public struct NSZone { var pointer: OpaquePointer? }
