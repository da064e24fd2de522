// The methods for paths, URLs and dates: the tables of Apple's documentation, and random texts compared with Foundation.
import Foundation
import PredicateTestSupport
import Testing

@Suite struct PathMethodsTests {
    private static func call(_ name: String, _ value: PredicateValue) throws -> PredicateValue {
        let method = try #require(FunctionCatalog.standard.method(named: name))
        var context = FunctionContext(clock: { 0 })
        return try method.call([value], &context)
    }

    private static func text(_ name: String, _ path: String) throws -> String? {
        try call(name, .string(path)).stringValue
    }

    /// The tables in the documentation of NSString, then what it does not mention.
    private static let paths: [(method: String, path: String, result: String)] = [
        ("lastPathComponent", "/tmp/scratch.tiff", "scratch.tiff"), ("lastPathComponent", "/tmp/scratch", "scratch"),
        ("lastPathComponent", "/tmp/", "tmp"), ("lastPathComponent", "scratch///", "scratch"),
        ("lastPathComponent", "/", "/"), ("pathExtension", "/tmp/scratch.tiff", "tiff"),
        ("pathExtension", ".scratch.tiff", "tiff"), ("pathExtension", "/tmp/scratch", ""),
        ("pathExtension", "/tmp/", ""), ("pathExtension", "/tmp/scratch..tiff", "tiff"),
        ("stringByDeletingLastPathComponent", "/tmp/scratch.tiff", "/tmp"),
        ("stringByDeletingLastPathComponent", "/tmp/lock/", "/tmp"),
        ("stringByDeletingLastPathComponent", "/tmp/", "/"), ("stringByDeletingLastPathComponent", "/tmp", "/"),
        ("stringByDeletingLastPathComponent", "/", "/"), ("stringByDeletingLastPathComponent", "scratch.tiff", ""),
        ("stringByDeletingPathExtension", "/tmp/scratch.tiff", "/tmp/scratch"),
        ("stringByDeletingPathExtension", "/tmp/", "/tmp"),
        ("stringByDeletingPathExtension", "scratch.bundle/", "scratch"),
        ("stringByDeletingPathExtension", "scratch..tiff", "scratch."),
        ("stringByDeletingPathExtension", ".tiff", ".tiff"), ("stringByDeletingPathExtension", "/", "/"),
        ("lastPathComponent", "", ""), ("lastPathComponent", "//", "/"), ("lastPathComponent", "a//b", "b"),
        ("lastPathComponent", "/\u{301}a", "\u{301}a"), ("lastPathComponent", "a\\b", "a\\b"),
        ("pathExtension", "", ""), ("pathExtension", "a.tar.gz", "gz"), ("pathExtension", "a.tar.gz//", "gz"),
        ("pathExtension", "/home/.bashrc", ""), ("pathExtension", ".bashrc.bak", "bak"), ("pathExtension", "a.", ""),
        ("pathExtension", "a.b/c", ""), ("pathExtension", "Mr. Smith", ""), ("pathExtension", "a.b c", ""),
        ("pathExtension", "a.b\u{202E}c", ""), ("pathExtension", "a b.é", "é"), ("pathExtension", "..", ""),
        ("stringByDeletingPathExtension", "", ""), ("stringByDeletingPathExtension", "a.", "a."),
        ("stringByDeletingPathExtension", "Mr. Smith", "Mr. Smith"), ("stringByDeletingPathExtension", "..", ".."),
        ("stringByDeletingPathExtension", "a.tar.gz", "a.tar"), ("stringByDeletingPathExtension", "a//b.c", "a/b"),
        ("stringByDeletingPathExtension", "/a.b/c", "/a.b/c"), ("stringByDeletingLastPathComponent", "", ""),
        ("stringByDeletingLastPathComponent", "a", ""), ("stringByDeletingLastPathComponent", "a/", ""),
        ("stringByDeletingLastPathComponent", "//a", "/"), ("stringByDeletingLastPathComponent", "//", "/"),
        ("stringByDeletingLastPathComponent", "a//b//c", "a/b"),
    ]

    @Test(.cases) func pathsHaveTheirParts() {
        forEachCase(Self.paths) { row in
            let result = try Self.text(row.method, row.path)
            #expect(result == row.result, "\(row.method) of \(row.path.debugDescription)")
        }
    }

    /// Foundation on Linux reads some paths in another way than on Apple's platforms, or ends the process: those with
    /// empty components, those of one character, and extensions that are empty or contain a space.
    @Test func pathsAreThoseOfFoundation() throws {
        var random = SplitMix(911)
        let parts = ["a", ".", ".", ".", "/", "/", "b.c", "..", "\\", "~", ":", "x y", "tar", "-"]
        for _ in 0..<TestDepth.count(20_000) {
            let path = (0..<random.below(9)).map { _ in random.pick(parts) }.joined()
            guard path != "/", !path.contains("//") else { continue }
            let foundation = NSString(string: path)
            let last = try #require(try Self.text("lastPathComponent", path))
            #expect(last == foundation.lastPathComponent, "\(path.debugDescription)")
            if path.filter({ $0 != "/" }).count > 1 {
                let folder = try Self.text("stringByDeletingLastPathComponent", path)
                #expect(folder == foundation.deletingLastPathComponent, "\(path.debugDescription)")
            }
            if last.hasSuffix(".") || last.split(separator: ".").last?.contains(" ") == true { continue }
            #expect(try Self.text("pathExtension", path) == foundation.pathExtension, "\(path.debugDescription)")
            let base = try Self.text("stringByDeletingPathExtension", path)
            #expect(base == foundation.deletingPathExtension, "\(path.debugDescription)")
        }
    }

    private static let urlMethods = [
        "absoluteString", "scheme", "host", "path", "query", "fragment", "lastPathComponent", "pathExtension",
    ]

    @Test(.cases) func urlsHaveTheirParts() {
        let cases: [(String, [String?])] = [
            (
                "https://me:pw@Example.org:8080/a%20b/c.tar.gz?x=%20&y#top",
                ["https", "Example.org", "/a b/c.tar.gz", "x=%20&y", "top", "c.tar.gz", "gz"]
            ),
            ("http://[::1]:80/x/", ["http", "::1", "/x", nil, nil, "x", ""]),
            ("http://a.org", ["http", "a.org", "", nil, nil, "", ""]),
            ("http://a.org/?#", ["http", "a.org", "/", "", "", "/", ""]),
            ("http://ex%41mple.org/%2F", ["http", "exAmple.org", "/", nil, nil, "/", ""]),
            ("file:///tmp/a%20b.txt", ["file", nil, "/tmp/a b.txt", nil, nil, "a b.txt", "txt"]),
            ("mailto:a@b.org?q#f", ["mailto", nil, nil, nil, "f", nil, nil]),
            ("a/b.c?q", [nil, nil, "a/b.c", "q", nil, "b.c", "c"]),
            ("//a.org/b", [nil, "a.org", "/b", nil, nil, "b", ""]), ("?q", [nil, nil, nil, "q", nil, nil, nil]),
            ("", [nil, nil, nil, nil, nil, nil, nil]), ("x://", ["x", nil, nil, nil, nil, nil, nil]),
            ("1a:/b", [nil, nil, "1a:/b", nil, nil, "b", ""]),
            ("http://a/%FF", ["http", "a", nil, nil, nil, nil, nil]),
            ("http://a/%4", ["http", "a", nil, nil, nil, nil, nil]),
        ]
        forEachCase(cases) { row in
            let parts = try Self.urlMethods.map { try Self.call($0, .url(row.0)).stringValue }
            #expect(parts == [row.0] + row.1, "\(row.0)")
        }
    }

    /// URLs with a well-formed authority and without empty components.
    @Test func urlsAreThoseOfFoundation() throws {
        var random = SplitMix(912)
        func some(_ parts: [String], _ count: Int) -> String {
            (0..<random.below(count)).map { _ in random.pick(parts) }.joined()
        }
        for _ in 0..<TestDepth.count(20_000) {
            var text = random.pick(["http:", "file:", "x+y.1:", "", "", "HTTP:"])
            if random.chance(60) {
                text += "//" + random.pick(["a.org", "", "u@b", "u:p@c:80", "[::1]", "d%41:1", "e:"])
            }
            let segments = (0..<random.below(4)).map { _ in
                random.pick(["a", "b.", "", ".h"])
                    + random.pick(["a", "..", "%C3%A9", "%25%3F", "%FF", ";p", "@", "b.z"])
            }
            let isAbsolute = !text.isEmpty || random.chance(50)
            text += (isAbsolute && !segments.isEmpty ? "/" : "") + segments.joined(separator: "/")
            if random.chance(30), !text.hasSuffix(":") { text += "/" }
            if random.chance(30) { text += "?" + some(["a=1", "&", "/", "?", "%20", ".x"], 4) }
            if random.chance(30) { text += "#" + some(["a", "/", "?", "%20", ".x"], 4) }
            guard let url = NSURL(string: text), url.absoluteString == text else { continue }
            let expected = [
                text, url.scheme, url.host, url.path, url.query, url.fragment, url.lastPathComponent, url.pathExtension,
            ]
            let parts = try Self.urlMethods.map { try Self.call($0, .url(text)).stringValue }
            #expect(parts == expected, "\(text)")
        }
    }

    @Test func datesHaveTheirSeconds() throws {
        for seconds in [0, -978_307_200, 0.1, 700_000_000.125, -0.1, 1e300] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let value = PredicateValue.date(seconds)
            #expect(try Self.call("timeIntervalSince1970", value) == .double(date.timeIntervalSince1970))
            #expect(try Self.call("timeIntervalSinceReferenceDate", value) == .double(seconds))
        }
    }

    @Test(.cases) func otherValuesAreRefused() {
        forEachCase(
            Self.urlMethods + [
                "stringByDeletingLastPathComponent", "stringByDeletingPathExtension", "timeIntervalSince1970",
            ]
        ) { name in
            #expect(throws: EvaluationFault.self) { try Self.call(name, .integer(1)) }
            let ofNil = try Self.call(name, .null)
            #expect(ofNil == .null)
        }
    }
}
