// Tests of the parser: the language, construct by construct, with its trees. Grammar/LANGUAGE.md has the meaning, and
// Tests/Golden/syntax the printed forms.
import PredicateTestSupport
import Testing

@Suite struct ParserTests {
    @Test(.cases) func textsHaveTheirTrees() {
        // Checks that a text is parsed to a tree, that the printed tree is parsed to the same tree, and that no change of one
        // token violates an invariant of parsing.
        forEachCase(Self.cases) { text, tree in
            let parsed = FormatParser.predicate(text)
            #expect(parsed.diagnostics.isEmpty, "\(text)")
            #expect(TreeDump.dump(.predicate(parsed.tree)) == tree, "\(text)")
            #expect(FormatParser.predicate(parsed.tree.description).tree == parsed.tree, "\(text)")
            for changed in Self.changes(of: text) {
                #expect(Robustness.violation(of: changed) == nil, "\(changed)")
            }
        }
    }

    /// The text with each token removed, doubled, or replaced.
    private static func changes(of text: String) -> [String] {
        let bytes = Array(text.utf8)
        return Lexer.tokens(of: text).dropLast().flatMap { token in
            let (before, after) = (bytes[..<token.span.start], bytes[token.span.end...])
            let word = Array(bytes[token.span.range])
            let others: [[UInt8]] = [[], word + [0x20] + word, Array("'".utf8), Array("AND".utf8)]
            return others.map { String(decoding: before + $0 + after, as: UTF8.self) }
        }
    }

    private static let cases: [(text: String, tree: String)] = [
        // A constant.
        (
            "TRUEPREDICATE",
            """
            constant true
            """
        ),
        // A comparison.
        (
            "age >= 21",
            """
            comparison >=
            ├─ keypath age
            └─ value 21
            """
        ),
        // Other spellings of operators.
        (
            "a = 1 && ! b <> 2 || c =< 3",
            """
            or
            ├─ and
            │  ├─ comparison ==
            │  │  ├─ keypath a
            │  │  └─ value 1
            │  └─ not
            │     └─ comparison !=
            │        ├─ keypath b
            │        └─ value 2
            └─ comparison <=
               ├─ keypath c
               └─ value 3
            """
        ),
        // AND binds tighter than OR, a chain is one compound.
        (
            "a == 1 OR b == 2 AND c == 3 AND d == 4",
            """
            or
            ├─ comparison ==
            │  ├─ keypath a
            │  └─ value 1
            └─ and
               ├─ comparison ==
               │  ├─ keypath b
               │  └─ value 2
               ├─ comparison ==
               │  ├─ keypath c
               │  └─ value 3
               └─ comparison ==
                  ├─ keypath d
                  └─ value 4
            """
        ),
        // Parentheses of the user are kept.
        (
            "(a == 1 AND b == 2) AND c == 3",
            """
            and
            ├─ and
            │  ├─ comparison ==
            │  │  ├─ keypath a
            │  │  └─ value 1
            │  └─ comparison ==
            │     ├─ keypath b
            │     └─ value 2
            └─ comparison ==
               ├─ keypath c
               └─ value 3
            """
        ),
        // Options in any order.
        (
            "name BEGINSWITH[dc] 'A'",
            """
            comparison BEGINSWITH[cd]
            ├─ keypath name
            └─ value "A"
            """
        ),
        // A quantifier applies to the left side.
        (
            "ANY orders.total > 100",
            """
            comparison any >
            ├─ keypath orders.total
            └─ value 100
            """
        ),
        // NONE is NOT ANY.
        (
            "NONE tags == 'x'",
            """
            not
            └─ comparison any ==
               ├─ keypath tags
               └─ value "x"
            """
        ),
        // Arithmetic is left-associative.
        (
            "a - b - c * 2 ** 3 == 1",
            """
            comparison ==
            ├─ operator -
            │  ├─ operator -
            │  │  ├─ keypath a
            │  │  └─ keypath b
            │  └─ operator *
            │     ├─ keypath c
            │     └─ operator **
            │        ├─ value 2
            │        └─ value 3
            └─ value 1
            """
        ),
        // A parenthesis may contain a value or a condition.
        (
            "(a + 1) > 2 AND (b > 1)",
            """
            and
            ├─ comparison >
            │  ├─ operator +
            │  │  ├─ keypath a
            │  │  └─ value 1
            │  └─ value 2
            └─ comparison >
               ├─ keypath b
               └─ value 1
            """
        ),
        // A sign before a number is a part of it.
        (
            "-a == -1",
            """
            comparison ==
            ├─ negation
            │  └─ keypath a
            └─ value -1
            """
        ),
        // An index binds tighter than a dot.
        (
            "a.d[0] == 1 AND (a.d)[FIRST] == 2",
            """
            and
            ├─ comparison ==
            │  ├─ member
            │  │  ├─ keypath a
            │  │  └─ index
            │  │     ├─ keypath d
            │  │     └─ value 0
            │  └─ value 1
            └─ comparison ==
               ├─ index
               │  ├─ keypath a.d
               │  └─ symbol FIRST
               └─ value 2
            """
        ),
        // A path after another expression is one step.
        (
            "$x.name.first == SUBQUERY(pets, $p, $p.age > 3).@count",
            """
            comparison ==
            ├─ member
            │  ├─ variable $x
            │  └─ keypath name.#first
            └─ member
               ├─ subquery $p
               │  ├─ keypath pets
               │  └─ comparison >
               │     ├─ member
               │     │  ├─ variable $p
               │     │  └─ keypath age
               │     └─ value 3
               └─ keypath @count
            """
        ),
        // A list of any expressions.
        (
            "x IN {1, b, {}, 'c'}",
            """
            comparison IN
            ├─ keypath x
            └─ aggregate
               ├─ value 1
               ├─ keypath b
               ├─ aggregate
               └─ value "c"
            """
        ),
        // A range.
        (
            "x BETWEEN {low, 10}",
            """
            comparison BETWEEN
            ├─ keypath x
            └─ aggregate
               ├─ keypath low
               └─ value 10
            """
        ),
        // A selector with a missing colon.
        (
            "sum(a) == add:to:(b, 1)",
            """
            comparison ==
            ├─ function sum:
            │  └─ keypath a
            └─ operator +
               ├─ keypath b
               └─ value 1
            """
        ),
        // Special forms.
        (
            "TERNARY(a > 1, b, c) == CAST('1', 'NSNumber')",
            """
            comparison ==
            ├─ ternary
            │  ├─ comparison >
            │  │  ├─ keypath a
            │  │  └─ value 1
            │  ├─ keypath b
            │  └─ keypath c
            └─ cast NSNumber
               └─ value "1"
            """
        ),
        // A method.
        (
            "FUNCTION(name, 'length') == 3",
            """
            comparison ==
            ├─ method length
            │  └─ keypath name
            └─ value 3
            """
        ),
        // Sets.
        (
            "a UNION {1} == b MINUS c",
            """
            comparison ==
            ├─ operator UNION
            │  ├─ keypath a
            │  └─ aggregate
            │     └─ value 1
            └─ operator MINUS
               ├─ keypath b
               └─ keypath c
            """
        ),
        // An assignment.
        (
            "$x := a + 1 == 2",
            """
            comparison ==
            ├─ assignment $x
            │  └─ operator +
            │     ├─ keypath a
            │     └─ value 1
            └─ value 2
            """
        ),
        // Arguments stay until they are bound.
        (
            "%K == %@ AND c == %ld",
            """
            and
            ├─ comparison ==
            │  ├─ argument %K
            │  └─ argument %@
            └─ comparison ==
               ├─ keypath c
               └─ argument %ld
            """
        ),
        // A reserved word as a key.
        (
            "#any == 1 AND a.first == 2",
            """
            and
            ├─ comparison ==
            │  ├─ keypath #any
            │  └─ value 1
            └─ comparison ==
               ├─ keypath a.#first
               └─ value 2
            """
        ),
        // A selector as an operator.
        (
            "SELF isKindOfClass: %@",
            """
            comparison isKindOfClass:
            ├─ self
            └─ argument %@
            """
        ),
    ]
}
