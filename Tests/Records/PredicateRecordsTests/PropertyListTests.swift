// Tests that we read Foundation's property lists and Foundation reads ours; tests of archives and of damaged
// files.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@Suite struct PropertyListTests {
    static func plist(_ bytes: some Sequence<UInt8>) throws -> Reading {
        var options = ReaderOptions()
        options.format = .plist
        return try read(Array(bytes), options)
    }

    static var object: [[String: Any]] {
        [
            [
                "text": "plain", "unicode": "déjà 😀", "yes": true, "no": false, "small": 7, "byte": 200,
                "short": 60_000, "int": 4_000_000_000, "large": Int.max, "negative": -3, "real": 2.5,
                "when": Date(timeIntervalSinceReferenceDate: 86_400), "data": Data([1, 2, 3]),
                "list": [1, "a", [Bool]()] as [Any], "nested": ["k": ["v": 1]], "empty": "",
                "long": String(repeating: "x", count: 300),
            ],
            ["list": Array(0..<40)],
        ]
    }

    static let values: [[String: PredicateValue]] = [
        [
            "text": .string("plain"), "unicode": .string("déjà 😀"), "yes": .bool(true), "no": .bool(false),
            "small": .integer(7), "byte": .integer(200), "short": .integer(60_000), "int": .integer(4_000_000_000),
            "large": .integer(.max), "negative": .integer(-3), "real": .double(2.5), "when": .date(86_400),
            "data": .data([1, 2, 3]), "list": .array([.integer(1), .string("a"), .array([])]),
            "nested": record(["k": record(["v": .integer(1)])]), "empty": .string(""),
            "long": .string(String(repeating: "x", count: 300)),
        ],
        ["list": .array((0..<40).map { .integer($0) })],
    ]

    static func dictionary(_ values: [String: PredicateValue]) -> PredicateValue {
        .dictionary(ValueDictionary(values.map { ($0.key, $0.value) }))
    }

    @Test(.cases) func foundationsListsAreRead() {
        forEachCase([.xml, .binary] as [PropertyListSerialization.PropertyListFormat]) { format in
            let data = try PropertyListSerialization.data(fromPropertyList: Self.object, format: format, options: 0)
            let reading = try Self.plist(data)
            #expect(reading.problems.isEmpty)
            #expect(reading.values == Self.values.map(Self.dictionary))
        }
    }

    @Test func foundationReadsOurs() throws {
        let options = WriterOptions(format: .plist)
        let bytes = try written(Self.values.map(Self.dictionary), options)
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
        #expect((list as? NSArray) == Self.object as NSArray)
        #expect(try Self.plist(bytes).values == Self.values.map(Self.dictionary))
        #expect(try Self.plist(written([], options)) == Reading())
        // Integers that need the 64th bit.
        let large = [UInt64(1) << 63, .max].map {
            PredicateValue.decimal(DecimalNumber(coefficient: $0, exponent: 0))
        }
        #expect(try Self.plist(written(large, options)).values == large)
        let extremes: PredicateValue = record([
            "a": .float(0.5), "b": .integer(.min), "c": .null, "d": .string("<&>\"é😀"), "e": .double(-1e300),
        ])
        let expected: PredicateValue = record([
            "a": .double(0.5), "b": .integer(.min), "d": .string("<&>\"é😀"), "e": .double(-1e300),
        ])
        #expect(try Self.plist(written([extremes], options)).values == [expected])
    }

    @Test(.cases) func validXMLIsRead() {
        let cases: [(String, PredicateValue)] = [
            ("<plist><dict><key>a</key><true/></dict></plist>", record(["a": .bool(true)])),
            (
                "<?xml version=\"1.0\"?><!-- c --><!DOCTYPE plist><plist version='1.0'> "
                    + "<string>a&lt;&#233;<![CDATA[<b>]]>&#x1F600;</string> </plist>",
                .string("a<é<b>😀")
            ),
            ("<integer> -0x10 </integer>", .null), ("<integer>0x10</integer>", .integer(16)),
            ("<string/>", .string("")),
            ("<integer>18446744073709551615</integer>", .decimal(DecimalNumber(coefficient: UInt.max, exponent: 0))),
            ("<real>1e3</real>", .double(1000)), ("<date>2001-01-02T00:00:00Z</date>", .date(86_400)),
            ("<data>\n AQ\n I= </data>", .data([1, 2])),
        ]
        forEachCase(cases) { text, value in
            let reading = try Self.plist(text.utf8)
            if value.isNil { #expect(reading.problems.count == 1) } else { #expect(reading.values == [value]) }
        }
    }

    @Test(.cases) func damagedXMLIsRejected() {
        let cases: [String] = [
            "", "x", "<plist>", "<plist></plist>", "<array>", "<array></dict>", "<dict><true/></dict>",
            "<dict><key>a</key></dict>", "<string>a", "<string>&what;</string>", "<string>&#xD800;</string>",
            "<integer>1.5</integer>", "<real>x</real>", "<date>soon</date>", "<data>?</data>", "<b/>", "<true/><true/>",
            "<!DOCTYPE plist [<!ENTITY a \"b\">]><true/>", "<", "<array", "<string><true/></string>", "<plist><true/>",
            "<!-- ",
        ]
        forEachCase(cases) { text in
            let reading = try Self.plist(text.utf8)
            #expect(reading.values.isEmpty)
            #expect(reading.problems.count == 1 && reading.problems[0].hasSuffix(" !"))
        }
    }

    @Test func xmlProblemsHaveALineAndColumn() throws {
        let reading = try Self.plist("<plist>\n<array>\n  <what/>\n</array></plist>".utf8)
        #expect(reading.problems == ["3:3 <what> is not an element of property lists !"])
        let deep = try Self.plist(String(repeating: "<array>", count: 100_000).utf8)
        #expect(deep.problems.first?.contains("nested deeper") == true)
    }

    // MARK: Binary lists, written by hand

    /// A binary property list of objects given as bytes.
    static func binary(_ objects: [[UInt8]], top: UInt8 = 0, referenceSize: UInt8 = 1) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += [UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 0xFF), UInt8(bytes.count & 0xFF)]
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 3, referenceSize]
        for number in [objects.count, Int(top), table] {
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        return bytes
    }

    @Test(.cases) func binaryObjectsAreRead() {
        let cases: [([[UInt8]], PredicateValue)] = [
            ([[0x00]] as [[UInt8]], PredicateValue.null), ([[0x10, 0xFF]], .integer(255)),
            ([[0x13] + Array(repeating: 0xFF, count: 8)], .integer(-1)),
            (
                [[0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8)],
                .decimal(DecimalNumber(coefficient: UInt.max, exponent: 0))
            ),
            ([[0x22, 0x3F, 0, 0, 0]], .float(0.5)), ([[0x62, 0xD8, 0x3D, 0xDE, 0]], .string("😀")),
            ([[0x80, 5]], record(["CF$UID": .integer(5)])),
            ([[0xD1, 1, 2], [0x51, 0x61], [0xC2, 3, 3], [0x09]], record(["a": .set([.bool(true)])])),
            ([[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x08], [0x09]], record(["a": .bool(true)])),
        ]
        forEachCase(cases) { (objects, value) throws in
            #expect(try Self.plist(Self.binary(objects)).values == [value])
        }
    }

    @Test(.cases) func hostileBinaryListsAreRejected() {
        let cases: [([[UInt8]], String)] = [
            ([[0xA1, 0]], "an object contains itself"),
            ([[0xA1, 1], [0xD1, 2, 0], [0x51, 0x61]], "an object contains itself"),
            ([[0xA1, 9]], "a reference to an object that does not exist"),
            (
                [[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
                "an object reaches beyond the property list"
            ),
            ([[0xAF, 0x13, 0x80, 0, 0, 0, 0, 0, 0, 0]], "an object reaches beyond the property list"),
            ([[0x4F]], "an object of an unknown kind"), ([[0x0F]], "an object of an unknown kind"),
            ([[0x1F]], "an object of an unknown kind"),
            ([[0xF0]], "an object of an unknown kind"), ([[0x2F]], "an object reaches beyond the property list"),
            ([[0xD1, 1, 1], [0x08]], "a dictionary has a key that is not a string"),
        ]
        forEachCase(cases) { objects, message in
            let reading = try Self.plist(Self.binary(objects))
            #expect(
                reading.problems.count == 1 && reading.problems.first?.contains(message) == true, "\(reading.problems)")
        }
    }

    /// Each array contains the next one ten times, so 40 objects represent 10^39 values.
    @Test func expandedSizeIsLimited() throws {
        let arrays = (0..<40).map { level in [0xAA] + Array(repeating: UInt8(level + 1), count: 10) }
        let reading = try Self.plist(Self.binary(arrays + [[0x09]]))
        #expect(reading.problems.count == 1 && reading.problems[0].contains("has more than"))
    }

    /// One long text with many references, in a record or in the whole list. A record that is too large is left out.
    @Test func expandedTextIsLimited() throws {
        let text = [0x5F, 0x11, 0x80, 0x00] + Array(repeating: UInt8(ascii: "x"), count: 0x8000)
        func list(_ levels: Int) -> [UInt8] {
            // Each level has 15 references to the next; the last refers to the text.
            let arrays = (0..<levels).map { level in [0xAF, 0x10, 15] + Array(repeating: UInt8(level + 1), count: 15) }
            return Self.binary(arrays + [text])
        }
        let small = try Self.plist(list(2))
        #expect(small.values.count == 15 && small.problems.isEmpty)
        let records = try Self.plist(list(4))  // 15 records with 15^3 texts, 110 MB each
        #expect(records.problems.count == 1 && records.problems[0].contains("has more than 256 MB"))
        let one = try Self.plist(
            Self.binary(
                [[0xA2, 1, 5], [0xAF, 0x10, 15] + Array(repeating: 2, count: 15)]
                    + [[0xAF, 0x11, 0x02, 0x00] + Array(repeating: 3, count: 512)] + [text, [0x09], [0x08]]))
        #expect(one.values == [.bool(false)] && one.problems.count == 1, "\(one.problems)")
        #expect(one.problems.first?.contains("the record is longer than") == true)
    }

    /// The limit of a record in XML, which has no references.
    @Test func xmlRecordsAreLimited() throws {
        let long = String(repeating: "x", count: 5000)
        var options = ReaderOptions()
        (options.format, options.recordLimit) = (.plist, 4096)
        let reading = try read(
            Array("<plist><array><string>\(long)</string><string>a</string></array></plist>".utf8), options)
        #expect(reading.values == [.string("a")] && reading.problems.count == 1, "\(reading.problems)")
    }

    /// XML cannot hold control characters, U+FFFE and U+FFFF; Foundation does not read such a file.
    @Test func textsThatXMLCannotHoldAreErrors() throws {
        for scalar: Unicode.Scalar in ["\u{0}", "\u{1}", "\u{1B}", "\u{FFFE}", "\u{FFFF}"] {
            let text = "a" + String(scalar)
            for value in [record(["k": .string(text)]), record([text: .bool(true)]), .array([.url(text)])] {
                #expect(throws: OutputProblem.self) { try written([value], WriterOptions(format: .plist)) }
            }
        }
        let text = "tab\t, newline\n, return\r, \r\n, \u{7F}, \u{85}, \u{FFFD}, \u{10FFFF}"
        let bytes = try written([.string(text)], WriterOptions(format: .plist))
        #expect(try Self.plist(bytes).values == [.string(text)])
        let found = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String]
        #expect(found == [text])
    }

    /// A text that is not Unicode is an error, not another text.
    @Test func textsThatAreNotUnicodeAreErrors() throws {
        for text: [UInt8] in [[0x52, 0x61, 0xFF], [0x61, 0xD8, 0x00], [0x71, 0x80]] {
            let reading = try Self.plist(Self.binary([[0xA1, 1], text]))
            #expect(reading.values == [] && reading.problems.first?.contains("not Unicode") == true)
        }
    }

    /// Members of a set are compared by their contents. The reader must not compare every pair of many members of one
    /// shape.
    @Test func largeSetsAreRead() throws {
        let members = (0..<20_000).map { record(["id": .integer(Int64($0)), "tags": .array([.string("t")])]) }
        func bytes(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        // A list with the set, the keys, the list of tags, and for each member a dictionary and its number.
        var objects = [[0xA1, 0, 1], [0xCF, 0x11] + bytes(members.count), [0x52] + "id".utf8, [0x54] + "tags".utf8]
        objects += [[0xA1, 0, 5], [0x51] + "t".utf8]
        for member in members.indices {
            objects[1] += bytes(objects.count)
            objects.append([0xD2] + [2, 3, objects.count + 1, 4].flatMap(bytes))
            objects.append([0x11] + bytes(member))
        }
        #expect(try Self.plist(Self.binary(objects, referenceSize: 2)).values == [.set(members)])
    }

    @Test func binaryDepthIsLimited() throws {
        for (depth, isRead) in [(127, true), (128, false), (250, false)] {
            let chain = (0..<depth).map { [0xA1, UInt8($0 + 1)] } + [[0x09]]
            #expect(try Self.plist(Self.binary(chain)).problems.isEmpty == isRead)
        }
    }

    /// Randomly changed bytes give records or one problem, and never a trap.
    @Test func mutations() throws {
        let sources = [
            try PropertyListSerialization.data(fromPropertyList: Self.object, format: .binary, options: 0),
            try NSKeyedArchiver.archivedData(withRootObject: Self.object as NSArray, requiringSecureCoding: false),
            try PropertyListSerialization.data(fromPropertyList: Self.object, format: .xml, options: 0),
        ]
        var generator = SplitMix(42)
        var problems = 0
        let rounds = TestDepth.count(3000)
        for round in 0..<rounds {
            var bytes = Array(sources[round % 3])
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[position] = UInt8.random(in: 0...255, using: &generator)
            }
            if round % 7 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
            let reading = try Self.plist(bytes)
            #expect(reading.problems.count <= 1)
            problems += reading.problems.count
        }
        #expect(problems > rounds / 6 && problems < rounds, "\(problems) of \(rounds)")
    }

    @Test func sizeIsLimited() throws {
        var options = ReaderOptions()
        options.format = .plist
        options.documentLimit = 100
        options.chunkSize = 64
        let reading = try read(Array(repeating: 0x20, count: 1000), options)
        #expect(reading.problems == ["1:1 the property list is larger than 100 bytes; it has to fit in memory !"])
    }
}
