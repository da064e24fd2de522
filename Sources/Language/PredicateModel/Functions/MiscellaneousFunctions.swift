// Text and location functions, functions with other syntax (LANGUAGE 4.4), and the methods for FUNCTION.

extension FunctionCatalog {
    static var miscellaneousFunctions: [PredicateFunction] {
        [
            PredicateFunction("uppercase:", "text", .texts(1, yields: .string), "the text in upper case", .uppercase) {
                (arguments, _) throws(EvaluationFault) in
                .string(CaseMapping.upper(try arguments[0].text(for: "uppercase:")))
            },
            PredicateFunction("lowercase:", "text", .texts(1, yields: .string), "the text in lower case", .lowercase) {
                (arguments, _) throws(EvaluationFault) in
                .string(CaseMapping.lower(try arguments[0].text(for: "lowercase:")))
            },
            PredicateFunction(
                "length:", "text", Signature(.text, yields: .integer, isCount: true), "its UTF-16 units", .length
            ) {
                (arguments, _) throws(EvaluationFault) in
                .integer(Int64(try arguments[0].text(for: "length:").utf16.count))
            },
            PredicateFunction(
                "noindex:", "value", .same, "the value; a store uses no index", .same, takesNil: true
            ) {
                (arguments, _) throws(EvaluationFault) in arguments[0]
            },
            PredicateFunction(
                SyntaxSelector.element, "collection, index", Signature(.any, .any, yields: .any), "collection[index]",
                .element
            ) { (arguments, _) throws(EvaluationFault) in try Indexing.element(arguments[1], of: arguments[0]) },
            PredicateFunction(
                SyntaxSelector.cast, "value, class", Signature(.any, .any, yields: .any), "CAST(value, class)", .cast
            ) { (arguments, _) throws(EvaluationFault) in
                let type = try arguments[1].text(for: SyntaxSelector.cast, at: .argument(1))
                return try Conversions.cast(arguments[0], to: type)
            },
            PredicateFunction(
                "distanceToLocation:fromLocation:", "a, b", Signature(.any, .any, yields: .double),
                "the distance in metres between two objects with latitude and longitude"
            ) { (arguments, _) throws(EvaluationFault) in
                let a = try location(arguments[0], .argument(0))
                let b = try location(arguments[1], .argument(1))
                return .double(Geography.distance(a, b))
            },
        ]
    }

    private static func location(
        _ value: PredicateValue, _ place: EvaluationFault.Place
    ) throws(EvaluationFault) -> Geography.Location {
        let name = "distanceToLocation:fromLocation:"
        let (latitude, longitude): (PredicateValue?, PredicateValue?) =
            switch value {
            case .dictionary(let dictionary): (dictionary["latitude"], dictionary["longitude"])
            case .object(let reference):
                (try reference.object.read("latitude"), try reference.object.read("longitude"))
            default: (nil, nil)
            }
        guard let latitude = latitude?.doubleValue, let longitude = longitude?.doubleValue else {
            throw EvaluationFault(.operandType, name, value.typeDescription, at: place)
        }
        return Geography.Location(latitude: latitude, longitude: longitude)
    }

    /// Methods without side effects, under Apple's names. Those without arguments can also be read as keys:
    /// `name.length`.
    static var standardMethods: [PredicateFunction] {
        textMethods + numberMethods + dateMethods + pathMethods + urlMethods
    }

    private static var textMethods: [PredicateFunction] {
        func text(
            _ name: String, _ result: ExpressionType.Kind, _ summary: String, count: Int = 1,
            _ intrinsic: PredicateFunction.Intrinsic? = nil,
            _ body: @escaping @Sendable (String, [String]) throws(EvaluationFault) -> PredicateValue
        ) -> PredicateFunction {
            PredicateFunction(method: name, of: "text", .texts(count, yields: result), summary, intrinsic) {
                (arguments, _) throws(EvaluationFault) in
                var texts: [String] = []
                for (position, argument) in arguments.enumerated() {
                    texts.append(try argument.text(for: name, at: .argument(position)))
                }
                return try body(texts[0], Array(texts.dropFirst()))
            }
        }
        func search(_ name: String, _ place: TextPlace, _ summary: String) -> PredicateFunction {
            text(name, .boolean, summary, count: 2) { (text, other) in
                .bool(OperatorRules.standard.find(other[0], in: text, at: place, []))
            }
        }
        return [
            text("uppercaseString", .string, "the text in upper case", .uppercase) { (text, _) in
                .string(CaseMapping.upper(text))
            },
            text("lowercaseString", .string, "the text in lower case", .lowercase) { (text, _) in
                .string(CaseMapping.lower(text))
            },
            PredicateFunction(
                method: "length", of: "text", Signature(.text, yields: .integer, isCount: true), "its UTF-16 units",
                .length
            ) { (arguments, _) throws(EvaluationFault) in
                .integer(Int64(try arguments[0].text(for: "length").utf16.count))
            },
            text("stringByAppendingString:", .string, "the text, followed by another", count: 2) { (text, other) in
                .string(text + other[0])
            },
            text(
                "stringByReplacingOccurrencesOfString:withString:", .string,
                "the text with all occurrences of a text replaced",
                count: 3
            ) { (text, other) in .string(TextReplacement.replace(other[0], in: text, with: other[1])) },
            search("hasPrefix:", .prefix, "whether it begins with a text"),
            search("hasSuffix:", .suffix, "whether it ends with a text"),
            search("containsString:", .anywhere, "whether it contains a text"),
        ]
    }

    private static var numberMethods: [PredicateFunction] {
        func method(
            _ name: String, _ types: Signature, _ summary: String, _ intrinsic: PredicateFunction.Intrinsic? = nil,
            takesNil: Bool = false,
            _ body: @escaping @Sendable (PredicateValue) throws(EvaluationFault) -> PredicateValue
        ) -> PredicateFunction {
            PredicateFunction(method: name, of: "value", types, summary, intrinsic, takesNil: takesNil) {
                (arguments, _) throws(EvaluationFault) in try body(arguments[0])
            }
        }
        func converting(
            _ name: String, _ result: ExpressionType.Kind, _ summary: String,
            _ intrinsic: PredicateFunction.Intrinsic? = nil,
            _ body: @escaping @Sendable (PredicateValue, String) throws(EvaluationFault) -> PredicateValue
        ) -> PredicateFunction {
            method(name, Signature(.numberOrText, yields: result), summary, intrinsic) {
                (value) throws(EvaluationFault) in try body(value, name)
            }
        }
        /// The number, or the number at the start of a text. A text without a number counts as 0, as in
        /// Foundation.
        @Sendable func number(_ value: PredicateValue, _ name: String) throws(EvaluationFault) -> Double {
            if case .string(let text) = value { return Double(LeadingNumber.text(of: text)) ?? 0 }
            return try value.number(for: name)
        }
        @Sendable func integer(_ value: PredicateValue, _ name: String) throws(EvaluationFault) -> PredicateValue {
            if let exact = value.exactInteger { return .integer(exact) }
            if case .string(let text) = value, let exact = Int64(LeadingNumber.text(of: text)) {
                return .integer(exact)
            }
            let number = try number(value, name).rounded(.towardZero)
            guard let result = Int64(exactly: number) else { throw EvaluationFault(.integerOverflow, name) }
            return .integer(result)
        }
        return [
            method("self", .same, "the value", .same, takesNil: true) { $0 },
            method("description", Signature(.printable, yields: .string), "the value as a text", .text) {
                (value) throws(EvaluationFault) in
                guard let text = Conversions.text(value) else {
                    throw EvaluationFault(.operandType, "description", value.typeDescription, at: .argument(0))
                }
                return .string(text)
            },
            method("stringValue", Signature(.number, yields: .string), "a number as a text") {
                (value) throws(EvaluationFault) in
                guard value.isNumber, let text = Conversions.text(value) else {
                    throw EvaluationFault(.operandType, "stringValue", value.typeDescription, at: .argument(0))
                }
                return .string(text)
            },
            converting("intValue", .integer, "its whole part", nil, integer),
            converting("integerValue", .integer, "its whole part", nil, integer),
            converting("longLongValue", .integer, "its whole part", nil, integer),
            converting("doubleValue", .double, "as a double", .double) { (value, name) throws(EvaluationFault) in
                .double(try number(value, name))
            },
            converting("floatValue", .double, "as a 32-bit float") { (value, name) throws(EvaluationFault) in
                .float(Float(try number(value, name)))
            },
            converting("boolValue", .boolean, "whether a number is not 0, or a text begins with y, t or 1 to 9") {
                (value, name) throws(EvaluationFault) in
                if case .string(let text) = value { return .bool(LeadingNumber.meansTrue(text)) }
                return .bool(try number(value, name) != 0)
            },
        ]
    }

    private static var dateMethods: [PredicateFunction] {
        func interval(
            _ name: String, _ summary: String, offset: Double? = nil, _ intrinsic: PredicateFunction.Intrinsic? = nil
        ) -> PredicateFunction {
            PredicateFunction(method: name, of: "date", Signature(.date, yields: .double), summary, intrinsic) {
                (arguments, _) throws(EvaluationFault) in
                guard case .date(let seconds) = arguments[0] else {
                    throw EvaluationFault(.operandType, name, arguments[0].typeDescription, at: .argument(0))
                }
                return .double(offset.map { seconds + $0 } ?? seconds)
            }
        }
        return [
            interval("timeIntervalSinceReferenceDate", "seconds since 2001-01-01 UTC", .seconds),
            interval("timeIntervalSince1970", "seconds since 1970-01-01 UTC", offset: 978_307_200),
        ]
    }
}

/// Parses the start of texts like Foundation's `doubleValue` and `boolValue`.
enum LeadingNumber {
    /// The number at the start of a text, `12.5` for ` 12.5 kg`; empty if there is none.
    static func text(of text: String) -> String {
        var rest = text.utf8.drop(while: isBlank)
        var number: [UInt8] = []
        func take(while belongs: (UInt8) -> Bool) -> Int {
            let taken = rest.prefix(while: belongs)
            number += taken
            rest = rest.dropFirst(taken.count)
            return taken.count
        }
        func take(oneOf signs: String) -> Bool {
            guard let first = rest.first, signs.utf8.contains(first) else { return false }
            number.append(first)
            rest = rest.dropFirst()
            return true
        }
        _ = take(oneOf: "+-")
        var digits = take(while: { $0.isDigit })
        var end = number.count
        if take(oneOf: ".") {
            let fraction = take(while: { $0.isDigit })
            digits += fraction
            if fraction > 0 { end = number.count }
        }
        guard digits > 0 else { return "" }
        if number.count == end, take(oneOf: "eE") {
            _ = take(oneOf: "+-")
            if take(while: { $0.isDigit }) > 0 { end = number.count }
        }
        return String(decoding: number[..<end], as: UTF8.self)
    }

    /// Whether the first character after spaces, a sign and zeros is Y, T or a digit.
    static func meansTrue(_ text: String) -> Bool {
        let word = text.utf8.drop(while: isBlank)
        let isSigned = word.first == UInt8(ascii: "+") || word.first == UInt8(ascii: "-")
        let first = word.dropFirst(isSigned ? 1 : 0).drop { $0 == UInt8(ascii: "0") }.first
        return first.map { "YyTt123456789".utf8.contains($0) } ?? false
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}

/// Replaces text by code points.
enum TextReplacement {
    /// Replaces every occurrence from left to right, without overlaps. An empty target has no occurrences.
    static func replace(_ target: String, in text: String, with replacement: String) -> String {
        let bytes = Array(text.utf8)
        let needle = Array(target.utf8)
        guard let first = needle.first, needle.count <= bytes.count else { return text }
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let end = position + needle.count
            if bytes[position] == first, end <= bytes.count, bytes[position..<end].elementsEqual(needle) {
                result += replacement.utf8
                position = end
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// Distances on a sphere with the Earth's mean radius; the error is below 0.5 %.
enum Geography {
    struct Location {
        /// In degrees.
        let latitude: Double
        let longitude: Double
    }

    /// The distance along the great circle in metres (haversine formula).
    static func distance(_ a: Location, _ b: Location) -> Double {
        let degree = Double.pi / 180
        let latitude = Mathematics.sine((b.latitude - a.latitude) * degree / 2)
        let longitude = Mathematics.sine((b.longitude - a.longitude) * degree / 2)
        let cosines = Mathematics.cosine(a.latitude * degree) * Mathematics.cosine(b.latitude * degree)
        let haversine = latitude * latitude + cosines * longitude * longitude
        return 2 * 6_371_008.8 * Mathematics.arcSine(min(1, haversine.squareRoot()))
    }
}
