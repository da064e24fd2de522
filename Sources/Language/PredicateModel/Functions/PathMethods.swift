// The methods of NSString for paths and of NSURL for its parts (LANGUAGE C 7). They read only the text, never a file
// system.

extension FunctionCatalog {
    static var pathMethods: [PredicateFunction] {
        func path(
            _ name: String, _ summary: String, _ body: @escaping @Sendable (String) -> String
        ) -> PredicateFunction {
            let types = Signature(.path) { ExpressionType(.string, isOptional: $0[0].kind != .string) }
            return PredicateFunction(method: name, of: "path", types, summary) {
                (arguments, _) throws(EvaluationFault) in
                switch arguments[0] {
                case .string(let text): .string(body(text))
                case .url(let text): URLParts(text).path.map { .string(body($0)) } ?? .null
                default: throw EvaluationFault(.operandType, name, arguments[0].typeDescription, at: .argument(0))
                }
            }
        }
        func text(
            _ name: String, _ summary: String, _ body: @escaping @Sendable (String) -> String
        ) -> PredicateFunction {
            PredicateFunction(method: name, of: "path", .texts(1, yields: .string), summary) {
                (arguments, _) throws(EvaluationFault) in
                .string(body(try arguments[0].text(for: name)))
            }
        }
        return [
            path("lastPathComponent", "the part after the last slash", PathText.lastComponent),
            path("pathExtension", "what follows the last period of the last component", PathText.pathExtension),
            text("stringByDeletingLastPathComponent", "the path of the folder", PathText.deletingLastComponent),
            text("stringByDeletingPathExtension", "the path without extension", PathText.deletingExtension),
        ]
    }

    static var urlMethods: [PredicateFunction] {
        func part(
            _ name: String, _ summary: String, _ body: @escaping @Sendable (URLParts) -> String?
        ) -> PredicateFunction {
            let types = Signature(.url) { _ in ExpressionType(.string, isOptional: true) }
            return PredicateFunction(method: name, of: "URL", types, summary) {
                (arguments, _) throws(EvaluationFault) in
                guard case .url(let text) = arguments[0] else {
                    throw EvaluationFault(.operandType, name, arguments[0].typeDescription, at: .argument(0))
                }
                return body(URLParts(text)).map(PredicateValue.string) ?? .null
            }
        }
        return [
            part("absoluteString", "the whole URL", { $0.text }),
            part("scheme", "the part before the colon", { $0.scheme }),
            part("host", "the host without port and brackets", { $0.host }),
            part("path", "the path without a slash at its end", { $0.path }),
            part("query", "the part after the question mark, with percent escapes", { $0.query }),
            part("fragment", "the part after the number sign, with percent escapes", { $0.fragment }),
        ]
    }
}

/// Paths as NSString reads them. Only "/" separates components; empty components and the last slash are left out.
///
///     PathText.pathExtension("/tmp/a.tar.gz/")  // "gz"
enum PathText {
    private static let slash = UInt8(ascii: "/")
    private static let period = UInt8(ascii: ".")

    /// The last component; the root is a component of itself.
    static func lastComponent(_ path: String) -> String {
        let bytes = normalized(path)
        return String(decoding: bytes[start(of: bytes)...], as: UTF8.self)
    }

    /// An empty text if there is no extension.
    static func pathExtension(_ path: String) -> String {
        let bytes = normalized(path)
        return extensionStart(bytes).map { String(decoding: bytes[$0...], as: UTF8.self) } ?? ""
    }

    static func deletingExtension(_ path: String) -> String {
        let bytes = normalized(path)
        return String(decoding: bytes[..<(extensionStart(bytes).map { $0 - 1 } ?? bytes.count)], as: UTF8.self)
    }

    static func deletingLastComponent(_ path: String) -> String {
        let bytes = normalized(path)
        let start = start(of: bytes)
        return String(decoding: bytes[..<(start > 1 ? start - 1 : bytes.first == slash ? 1 : 0)], as: UTF8.self)
    }

    private static func normalized(_ path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in path.utf8 where byte != slash || bytes.last != slash { bytes.append(byte) }
        if bytes.count > 1, bytes.last == slash { bytes.removeLast() }
        return bytes
    }

    /// The offset of the last component.
    private static func start(of bytes: [UInt8]) -> Int {
        bytes.count == 1 ? 0 : bytes.lastIndex(of: slash).map { $0 + 1 } ?? 0
    }

    /// The offset of the extension, nil if there is none. As in Core Foundation, the period is neither the first nor
    /// the last character of the component, and no space or directional mark follows it.
    private static func extensionStart(_ bytes: [UInt8]) -> Int? {
        guard let period = bytes.lastIndex(of: period), period > start(of: bytes), period + 1 < bytes.count else {
            return nil
        }
        let isInvalid = String(decoding: bytes[(period + 1)...], as: UTF8.self).unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x20, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        return isInvalid ? nil : period + 1
    }
}

/// The parts of a URL (RFC 3986, Appendix B), as NSURL returns them.
struct URLParts {
    let text: String
    private(set) var scheme: String?
    private(set) var host: String?
    /// Without percent escapes and without a slash at the end. Like the query, it is nil for a URL without slashes,
    /// such as `mailto:a@b.org?subject=c`.
    private(set) var path: String?
    private(set) var query: String?
    private(set) var fragment: String?

    init(_ text: String) {
        self.text = text
        var rest = text.utf8[...]
        /// Removes the rest from the first such byte, which is not part of the result.
        func cut(_ separator: Unicode.Scalar) -> String? {
            guard let index = rest.firstIndex(of: UInt8(ascii: separator)) else { return nil }
            defer { rest = rest[..<index] }
            return String(rest[rest.index(after: index)...])
        }
        fragment = cut("#")
        query = cut("?")
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
            scheme = String(rest[..<colon])
            rest = rest[rest.index(after: colon)...]
            // The text after the colon has no parts.
            if rest.first != UInt8(ascii: "/") { query = nil }
        }
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            rest = rest[authority.endIndex...]
            host = Self.host(authority)
        }
        let hasPath = rest.first == UInt8(ascii: "/") || (rest.isEmpty ? host != nil : scheme == nil)
        guard hasPath, var path = Self.unescaped(rest) else { return }
        if path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.unicodeScalars.removeLast() }
        self.path = path
    }

    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        bytes.first?.isLetter ?? false
            && bytes.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    }

    /// The host of an authority such as `user:password@host:80`; nil if it is empty.
    private static func host(_ authority: Substring.UTF8View) -> String? {
        let start = authority.lastIndex(of: UInt8(ascii: "@")).map(authority.index(after:)) ?? authority.startIndex
        let host = authority[start...]
        let isBracketed = host.first == UInt8(ascii: "[")
        let end = UInt8(ascii: isBracketed ? "]" : ":")
        let name = host.dropFirst(isBracketed ? 1 : 0).prefix { $0 != end }
        return name.isEmpty ? nil : unescaped(name)
    }

    /// The text without percent escapes; nil if one of them is malformed or the result is not UTF-8.
    private static func unescaped(_ bytes: Substring.UTF8View) -> String? {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexadecimalDigit, let low = rest.popFirst()?.hexadecimalDigit else {
                return nil
            }
            result.append(high << 4 | low)
        }
        return String(validUTF8: result)
    }
}
