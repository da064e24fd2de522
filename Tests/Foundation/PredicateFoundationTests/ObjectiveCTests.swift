// What Objective-C may change, with the same result on all platforms: casts of values to classes, the types of numbers
// in NSNumber, values in boxes. Type checks on Linux cannot find a difference; these tests run on macOS, too.
import Foundation
import PredicateFoundation
import Testing

private struct Weight: QueryableValue {
    var grams: Int
    var predicateValue: PredicateValue { .integer(Int64(grams)) }
}

private struct Plain: Hashable { var grams: Int }

@Suite struct ObjectiveCTests {
    /// With Objective-C, a cast finds an NSNumber in a Bool and an NSArray in an array.
    @Test func swiftValuesInAny() throws {
        let values: [(Any, PredicateValue)] = [
            (true, .bool(true)), (1, .integer(1)), (1.0, .double(1)), (Float(1), .float(1)), (Int8(1), .integer(1)),
            ("a", .string("a")), ([1, 2], .array([.integer(1), .integer(2)])),
            ([true, 1, "a"] as [Any], .array([.bool(true), .integer(1), .string("a")])),
            (Set([true]), .set([.bool(true)])), (Decimal(1), .decimal(try #require(DecimalNumber("1")))),
            (["a": [true]], .dictionary(["a": PredicateValue.array([.bool(true)])])),
            (Optional(true) as Any, .bool(true)),
        ]
        for (object, value) in values { try Self.check(object, value) }
    }

    /// The type of a number is read from its type code. A byte of 0 or 1 has the code of a Boolean.
    @Test func numbers() throws {
        let values: [(NSNumber, PredicateValue)] = [
            (NSNumber(value: true), .bool(true)), (NSNumber(value: false), .bool(false)),
            (NSNumber(value: 1), .integer(1)), (NSNumber(value: Int64(1)), .integer(1)),
            (NSNumber(value: Int8(1)), .bool(true)), (NSNumber(value: Int8(2)), .integer(2)),
            (NSNumber(value: UInt8(200)), .integer(200)), (NSNumber(value: UInt64.max), UInt64.max.predicateValue),
            (NSNumber(value: 1.0), .double(1)), (NSNumber(value: Float(0.5)), .float(0.5)),
            (NSDecimalNumber(string: "1.5"), .decimal(try #require(DecimalNumber("1.5")))),
        ]
        for (number, value) in values { try Self.check(number, value) }
    }

    @Test func objectsOfFoundation() throws {
        let values: [(Any, PredicateValue)] = [
            (NSString(string: "a"), .string("a")), (NSArray(array: [true]), .array([.bool(true)])),
            (NSSet(array: [1]), .set([.integer(1)])), (NSDictionary(dictionary: ["a": 1]), .dictionary(["a": 1])),
            (NSDate(timeIntervalSinceReferenceDate: 5), .date(5)), (NSData(data: Data([1])), .data([1])),
            (NSArray(array: [NSSet(array: [1])]), .array([.set([.integer(1)])])),
        ]
        for (object, value) in values { try Self.check(object, value) }
        // As an argument NSNull is itself; the value of an expression is nil.
        #expect(try PredicateValue(converting: NSNull()) == .nsNull)
        #expect(try Self.constant(NSNull()) == .null)
    }

    /// All boxes may have one class: the kind of one value must not decide about the next.
    @Test func boxesOfSwiftValues() throws {
        for objects in [[Weight(grams: 5), Plain(grams: 5)], [Plain(grams: 5), Weight(grams: 5)]] as [[Any]] {
            for object in objects.map({ $0 as AnyObject }) {
                let value = try Self.constant(object)
                #expect((value == .integer(5)) == (object is any QueryableValue), "\(object)")
            }
        }
    }

    @Test func predicateObjects() throws {
        let predicate = try NSPredicate(FormatPredicate("age IN %@ AND done == %@", [21, 22], true))
        #expect(predicate.evaluate(with: ["age": 21, "done": true] as NSDictionary))
        #expect(!predicate.evaluate(with: ["age": 21, "done": false] as NSDictionary))
        #expect(!predicate.evaluate(with: ["age": 20, "done": true] as NSDictionary))
        let text = try FormatPredicate(predicate).description
        #expect(text == "age IN {21, 22} AND done == 1")
        #expect(throws: PredicateFailure.self) { try NSPredicate(checking: "age BEGINWITH 'a'") }
        let checked = try NSPredicate(checking: "age IN %@", NSSet(array: [21]))
        #expect(checked.evaluate(with: ["age": 21] as NSDictionary))
    }

    /// As an argument, and as the constant of an NSExpression.
    private static func check(_ object: Any, _ value: PredicateValue) throws {
        let name: Comment = "\(type(of: object)) \(object)"
        #expect(try PredicateValue(converting: object) == value, name)
        let found = try constant(object)
        #expect(found == value, name)
    }

    private static func constant(_ object: Any) throws -> PredicateValue {
        try FormatExpression(NSExpression(forConstantValue: object)).evaluate(PredicateValue.null)
    }
}
