// Tests of keyed archives that Foundation writes, with Foundation's classes and an app's classes.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

/// A plain object that an app archives.
final class ArchivedPerson: NSObject, NSCoding {
    let name: String
    let age: Int
    var friends: [ArchivedPerson]

    init(name: String, age: Int, friends: [ArchivedPerson] = []) {
        self.name = name
        self.age = age
        self.friends = friends
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(age, forKey: "age")
        coder.encode(age > 40, forKey: "$senior")
        coder.encode(friends as NSArray, forKey: "friends")
        coder.encode(nil as Any?, forKey: "nothing")
    }
}

@Suite struct KeyedArchiveTests {
    static func archive(_ root: Any, _ format: PropertyListSerialization.PropertyListFormat) -> [UInt8] {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = format
        archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return Array(archiver.encodedData)
    }

    @Test(.cases) func plainObjectsAreDictionaries() {
        forEachCase([.binary, .xml] as [PropertyListSerialization.PropertyListFormat]) { format in
            let ada = ArchivedPerson(name: "Ada", age: 36)
            let people = [ada, ArchivedPerson(name: "Åsa", age: 41, friends: [ada])]
            let reading = try PropertyListTests.plist(Self.archive(people as NSArray, format))
            #expect(reading.problems.isEmpty)
            let expected = record([
                "name": .string("Ada"), "age": .integer(36), "$senior": .bool(false), "friends": .array([]),
                "nothing": .null,
            ])
            #expect(reading.values.first == expected)
            #expect(
                reading.values.last
                    == record([
                        "name": .string("Åsa"), "age": .integer(41), "$senior": .bool(true),
                        "friends": .array([expected]), "nothing": .null,
                    ]))
        }
    }

    @Test func foundationClassesAreValues() throws {
        let uuid = UUID()
        let root: NSArray = [
            "text" as NSString, NSNumber(value: 5), NSNumber(value: 2.5), NSNumber(value: true), NSNull(),
            NSDate(timeIntervalSinceReferenceDate: 86_400), Data([1, 2]) as NSData, uuid as NSUUID,
            NSURL(string: "https://example.com/a")!, NSSet(array: ["x"]), NSDictionary(dictionary: ["k": 1]),
            NSOrderedSet(array: ["a", "b"]), NSMutableString(string: "soft"),
        ]
        let values = try PropertyListTests.plist(Self.archive(root, .binary)).values
        #expect(
            values == [
                .string("text"), .integer(5), .double(2.5), .bool(true), .nsNull, .date(86_400), .data([1, 2]),
                .uuid(try #require(UniversalID(uuid.uuidString))), .url("https://example.com/a"), .set([.string("x")]),
                record(["k": .integer(1)]), .array([.string("a"), .string("b")]), .string("soft"),
            ])
    }

    /// `NSDecimalNumber` as Apple's archiver writes it: 16-bit words, the least significant first.
    @Test func decimalNumbersAreRead() throws {
        let text = """
            <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key><dict><key>root</key><dict>
            <key>CF$UID</key><integer>1</integer></dict></dict><key>$objects</key><array><string>$null</string><dict>
            <key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict><key>NS.exponent</key><integer>-2</integer>
            <key>NS.length</key><integer>2</integer><key>NS.mantissa</key><data>OTAAAAAAAAAAAAAAAAAAAA==</data>
            <key>NS.mantissa.bo</key><integer>1</integer><key>NS.negative</key><true/></dict>
            <dict><key>$classname</key><string>NSDecimalNumber</string></dict></array></dict></plist>
            """
        // 0x3039 is 12345.
        #expect(
            try PropertyListTests.plist(text.utf8).values == [
                .decimal(DecimalNumber(coefficient: -12345, exponent: -2))
            ])
        // No decimal has this exponent, so the fields are those of any object.
        let damaged = text.replacing("-2</integer>", with: "\(Int64.min)</integer>")
        let values = try PropertyListTests.plist(damaged.utf8).values
        guard case .dictionary(let fields)? = values.first else { return #expect(Bool(false), "\(values)") }
        #expect(fields["NS.exponent"] == .integer(.min))
    }

    /// A chain of objects, in which each refers to the next. A long chain is an error and does not overflow the stack.
    @Test(.cases) func longChainsAreErrors() {
        forEachCase([(10, true), (2000, false)] as [(Int, Bool)]) { length, isRead in
            let chain = (0..<length).map { number in
                """
                <dict><key>next</key><dict><key>CF$UID</key><integer>\(number + 2)</integer></dict></dict>
                """
            }
            let text = """
                <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key><dict><key>root</key><dict>\
                <key>CF$UID</key><integer>1</integer></dict></dict><key>$objects</key><array><string>$null</string>\
                \(chain.joined())<string>end</string></array></dict></plist>
                """
            let reading = try PropertyListTests.plist(text.utf8)
            #expect(reading.problems.isEmpty == isRead)
            if !isRead { #expect(reading.problems.first?.contains("nested too deep") == true) }
        }
    }

    @Test func cyclesAreErrors() throws {
        let ada = ArchivedPerson(name: "Ada", age: 36)
        ada.friends = [ada]
        defer { ada.friends = [] }
        let reading = try PropertyListTests.plist(Self.archive(ada, .binary))
        #expect(reading.values.isEmpty)
        #expect(reading.problems.count == 1)
        #expect(reading.problems.first?.hasSuffix("ArchivedPerson that contains itself !") == true)
    }

    @Test(.cases) func damagedArchivesAreErrors() {
        let cases: [(String, String, String)] = [
            ("<dict/>", "<array/>", "the keyed archive has"),
            ("<integer>1</integer>", "<array/>", "has no $objects or no $top"),
            (
                "<dict><key>root</key><dict><key>CF$UID</key><integer>9</integer></dict></dict>", "<array/>",
                "refers to an object that does not exist"
            ),
            (
                "<dict><key>root</key><dict><key>CF$UID</key><integer>-1</integer></dict></dict>", "<array/>",
                "refers to an object that does not exist"
            ),
        ]
        forEachCase(cases) { top, objects, message in
            let text = """
                <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$top</key>\(top)\
                <key>$objects</key>\(objects)</dict></plist>
                """
            let reading = try PropertyListTests.plist(text.utf8)
            if top == "<dict/>" {
                #expect(reading.values == [record([:])])
            } else {
                #expect(reading.problems.first?.contains(message) == true, "\(reading.problems)")
            }
        }
    }
}
