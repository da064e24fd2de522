// https://www.sqlite.org/lang_expr.html. Texts are compared as UTF-8 bytes (BINARY). `length` and `substr` of a text stop
// at U+0000, so prefixes and suffixes are compared as blobs; `instr` and `=` do not stop.
import PredicateModel
import PredicateSyntax

extension Dialect {
    /// SQLite whose connection knows the functions of `SQLFunction`.
    public static let sqlite: Dialect = {
        var dialect = sqlite(named: "sqlite")
        dialect.hasRegisteredFunctions = true
        for scalar in [Scalar.length, .uppercase, .lowercase, .doubles(.divide), .squareRoot, .listed, .element] {
            guard let function = scalar.registered else { continue }
            let arguments = (0..<function.arity).map { "{\($0)}" }.joined(separator: ", ")
            dialect.scalars[scalar] = SQLTemplate(stringLiteral: "\(function.rawValue)(\(arguments))")
        }
        dialect.elements = elements.ofAllTypes
        return dialect
    }()

    /// SQLite as it comes: what needs a function is left to the residual.
    public static let sqlitePlain: Dialect = {
        var dialect = sqlite(named: "sqlite-plain")
        // It looks for each piece behind `*` once (patternCompare), reads U+FFFE and U+FFFF as U+FFFD, and stops at U+0000. So a
        // text with U+0000 is matched with U+FFFF instead: JSON has a name for it, which is told from the same letters in the
        // text when backslashes have their name, too.
        dialect.glob = GlobCapability(
            test: #"""
                CASE WHEN instr({0}, char(0)) = 0 THEN {0} ELSE json_extract(replace(replace(json_quote({0}), \#
                '\\', '\u005C'), '\u0000', '\uFFFF'), '$') END GLOB {1}
                """#,
            run: "*", one: "?", special: "*?[", opening: "[", closing: "]",
            confused: CodePointSet([0...0, 0xFFFD...0xFFFF]))
        return dialect
    }()

    /// A list is JSON.
    private static let elements = ListElements.rows("json_each({0}) AS {1}")

    private static func sqlite(named name: String) -> Dialect {
        var dialect = Dialect(name)
        dialect.storesNaN = false
        dialect.identifierBytes = 4096
        dialect.binaryCollation = "BINARY"
        dialect.indexesInCollations = true
        dialect.alwaysTrue = "1 = 1"
        dialect.alwaysFalse = "1 = 0"
        dialect.sameOrBothNull = "{0} IS {1}"
        dialect.notSame = "{0} IS NOT {1}"
        dialect.beginsWith = "substr(CAST({0} AS BLOB), 1, length(CAST({1} AS BLOB))) = CAST({1} AS BLOB)"
        dialect.endsWith = "substr(CAST({0} AS BLOB), -length(CAST({1} AS BLOB))) = CAST({1} AS BLOB)"
        dialect.contains = "instr({0}, {1}) > 0"
        dialect.integerAsDouble = "CAST({0} AS REAL)"
        dialect.limitOfAll = "-1"
        // Timestamps are texts, whose order is theirs while all are of one form.
        dialect.zoneOfMoments = ""
        // UPDATE changes rows while it finds them.
        dialect.seesItsChanges = true
        let members: SQLTemplate = "{0} IN (SELECT value FROM json_each({1}))"
        dialect.jsonLists = [.integer: members, .text: members, .timestamp: members, .timestampWithZone: members]
        // Doubles would be read one bit off (SQLFunction.doubleBits).
        dialect.elements = [.boolean: elements, .integer: elements, .text: elements]
        // Integers that overflow become REAL; floor is not in every build; -x is 0 - x, which has another zero.
        dialect.scalars = dialect.integerArithmetic(
            fits: { "typeof(\($0)) = 'integer'" }, divide: "{0} / {1}", remainder: "{0} % {1}")
        dialect.scalars[.absoluteInteger] = "CASE WHEN {0} > -9223372036854775808 THEN abs({0}) END"
        dialect.scalars[.negativeInteger] = "CASE WHEN {0} > -9223372036854775808 THEN - {0} END"
        dialect.scalars.merge(Dialect.doubleArithmetic([.add, .subtract, .multiply])) { $1 }
        dialect.scalars.merge([.asInteger: "{0}", .asMoment: "{0}", .negative: "({0} * -1.0)", .absolute: "abs({0})"]) {
            $1
        }
        dialect.scalars[.onesComplement] = Dialect.commonScalars[.onesComplement]
        let whole = "CAST({0} AS INTEGER)"
        dialect.scalars.merge(
            Dialect.rounding(
                floor: "\(whole) - (\(whole) > {0})", ceiling: "\(whole) + (\(whole) < {0})", truncate: whole,
                double: "REAL")
        ) { $1 }
        // SUM fails where 64 bits do not hold it. Of the upper halves and of the lower ones they do, of up to 2^31 integers.
        let lower = "COALESCE(SUM({0} & 4294967295), 0)"
        let upper = "(COALESCE(SUM({0} >> 32), 0) + (\(lower) >> 32))"
        let isHeld = "\(upper) BETWEEN -2147483648 AND 2147483647"
        dialect.checkedSum = (
            integer: SQLTemplate(
                stringLiteral: "CASE WHEN \(isHeld) THEN \(upper) * 4294967296 + (\(lower) & 4294967295) END"),
            // Only the last addition rounds.
            double: SQLTemplate(
                stringLiteral: "(CAST(\(upper) AS REAL) * 4294967296.0 + (\(lower) & 4294967295))")
        )
        // The parser's stack has 100 places; 12 nested EXISTS are one too many.
        dialect.nestingLimit = 20
        dialect.depthLimit = 900
        dialect.subqueryLimit = 6
        return dialect
    }
}
