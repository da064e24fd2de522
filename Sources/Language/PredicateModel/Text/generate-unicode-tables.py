#!/usr/bin/env python3
"""Writes the Unicode tables of PredicateModel: UnicodeFoldData.swift and UnicodePropertyData.swift.

Usage:   apt-get install unicode-data=15.0.0-1      (files in /usr/share/unicode)
         python3 generate-unicode-tables.py [DIRECTORY-OF-UNICODE-FILES]

This file alone fixes the Unicode version. The evaluator, the SQL compiler and ORDER BY must fold with the same tables on
every machine, so none of them uses the standard library's tables, which change with the toolchain.

Numbers are written as text, because the compiler reads one long string literal faster than an array literal of the
same content by orders of magnitude. A number is a run of digits of 5 bits, the lowest first; after a digit of 32 or
more another follows. Digit d is the character d + 48, or d + 49 from 44 on, to avoid the backslash.
"""
import os
import re
import sys

VERSION = "15.0"
SOURCE = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 0x110000

CATEGORIES = ("Cn Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co").split()
MARK_RANGES = [(0x300, 0x36F), (0x483, 0x487), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)]
BINARY = {
    "DerivedCoreProperties.txt": """Alphabetic Uppercase Lowercase Cased Case_Ignorable Default_Ignorable_Code_Point
        Grapheme_Base Grapheme_Extend ID_Start ID_Continue XID_Start XID_Continue Math""",
    "PropList.txt": """White_Space ASCII_Hex_Digit Dash Diacritic Extender Hex_Digit Ideographic Join_Control
        Noncharacter_Code_Point Pattern_Syntax Pattern_White_Space Quotation_Mark Radical Sentence_Terminal Soft_Dotted
        Terminal_Punctuation Unified_Ideograph Variation_Selector""",
    "emoji/emoji-data.txt": """Emoji Emoji_Presentation Emoji_Modifier Emoji_Modifier_Base Emoji_Component
        Extended_Pictographic""",
}


def lines(name):
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line and not line.startswith("@"):
                yield [field.strip() for field in line.split(";")]


def span(text):
    first, _, last = text.partition("..")
    return int(first, 16), int(last or first, 16)


def points(text):
    return [int(part, 16) for part in text.split()]


# --- Packing

def digit(value):
    return chr(value + (48 if value < 44 else 49))


def pack(value):
    text = ""
    while value >= 32:
        text += digit(value % 32 + 32)
        value //= 32
    return text + digit(value)


def signed(value):
    return pack(value * 2 if value >= 0 else -value * 2 - 1)


def packed_mappings(mappings):
    """For each scalar: its distance from the previous scalar times 8 plus the count of its values, the first value
    relative to that of the previous scalar, and the other values, each relative to the last such value. A distance of 0
    and a number repeat the last mapping for as many further scalars at the same distance from each other, as in the
    alphabets where upper and lower case alternate."""
    text, last_key, last_offset, last_other, last_step, repeats = "", 0, 0, 0, None, 0
    for key in sorted(mappings) + [None]:
        values = mappings[key] if key is not None else []
        step = key is not None and (key - last_key, [value - key for value in values])
        if step and step == last_step and len(values) == 1:
            repeats, last_key = repeats + 1, key
            continue
        if repeats:
            text, repeats = text + pack(0) + pack(repeats), 0
        if not step:
            return text
        text += pack((key - last_key) * 8 + len(values))
        if values:
            offset = values[0] - key
            text += signed(offset - last_offset)
            last_offset = offset
            for value in values[1:]:
                text += signed(value - last_other)
                last_other = value
        last_key, last_step = key, step


def packed_ranges(ranges):
    text, last = "", 0
    for lower, upper in ranges:
        text += pack(lower - last) + pack(upper - lower)
        last = upper + 1
    return text


def packed_runs(values):
    """The whole code space as runs of a length and a value."""
    text, start = "", 0
    for scalar in range(1, LIMIT + 1):
        if scalar == LIMIT or values[scalar] != values[start]:
            text += pack(scalar - start) + pack(values[start])
            start = scalar
    return text


def packed_property(scalars):
    """The categories whose scalars mostly have a binary property, as bits, and the ranges in which it differs from
    their union."""
    sizes, known = [0] * len(CATEGORIES), [0] * len(CATEGORIES)
    for scalar in range(LIMIT):
        sizes[category[scalar]] += 1
        known[category[scalar]] += scalar in scalars
    wanted = [2 * count > size for count, size in zip(known, sizes)]
    base = {scalar for scalar in range(LIMIT) if wanted[category[scalar]]}
    return pack(sum(1 << place for place, bit in enumerate(wanted) if bit)) + packed_ranges(merged(base ^ scalars))


def merged(scalars):
    ranges = []
    for scalar in sorted(scalars):
        if ranges and ranges[-1][1] == scalar - 1:
            ranges[-1][1] = scalar
        else:
            ranges.append([scalar, scalar])
    return ranges


# --- Reading

category = [0] * LIMIT
decomposition, upper, lower = {}, {}, {}
first_of_range = None
for fields in lines("UnicodeData.txt"):
    scalar = int(fields[0], 16)
    if fields[1].endswith("First>"):
        first_of_range = scalar
        continue
    start = first_of_range if fields[1].endswith("Last>") else scalar
    for each in range(start, scalar + 1):
        category[each] = CATEGORIES.index(fields[2])
    if fields[5] and not fields[5].startswith("<"):
        decomposition[scalar] = points(fields[5])
    if fields[12]:
        upper[scalar] = points(fields[12])
    if fields[13]:
        lower[scalar] = points(fields[13])

for fields in lines("SpecialCasing.txt"):
    if len(fields) > 4 and fields[4]:
        continue  # depends on language or context
    scalar = int(fields[0], 16)
    for table, text in ((lower, fields[1]), (upper, fields[3])):
        if points(text) != table.get(scalar, [scalar]):
            table[scalar] = points(text)


def decomposed(scalar):
    if scalar not in decomposition:
        return [scalar]
    return [part for each in decomposition[scalar] for part in decomposed(each)]


folding = {}
for fields in lines("CaseFolding.txt"):
    if fields[1] in ("C", "F"):
        folding[int(fields[0], 16)] = points(fields[2])

# Scalars that no letter begins with (LANGUAGE C 10). With `c` alone: what Unicode counts to the grapheme before it. With
# `d`: what is the second or a later part of a composed character, where `d` does not drop it.
HANGUL_PARTS = [(0x1160, 0x11FF), (0xD7B0, 0xD7FB)]
HANGUL_COMPOSING = [(0x1161, 0x1175), (0x11A8, 0x11C2)]
excluded = set()
for fields in lines("DerivedNormalizationProps.txt"):
    if fields[1] == "Full_Composition_Exclusion":
        low, high = span(fields[0])
        excluded.update(range(low, high + 1))


def members(ranges):
    return {scalar for low, high in ranges for scalar in range(low, high + 1)}


marks = [s for low, high in MARK_RANGES for s in range(low, high + 1) if CATEGORIES[category[s]] == "Mn"]

script_names, script = ["Zzzz"], [0] * LIMIT
long_to_short = {}
aliases = {"gc": {}, "sc": {}}
for fields in lines("PropertyValueAliases.txt"):
    if fields[0] in aliases:
        aliases[fields[0]][fields[1]] = fields[1:]
    if fields[0] == "sc":
        long_to_short[fields[2]] = fields[1]
for fields in lines("Scripts.txt"):
    short = long_to_short[fields[1]]
    if short not in script_names:
        script_names.append(short)
    low, high = span(fields[0])
    for scalar in range(low, high + 1):
        script[scalar] = script_names.index(short)

binary = {}
for name, wanted in BINARY.items():
    wanted = wanted.split()
    for fields in lines(name):
        if fields[1] in wanted:
            low, high = span(fields[0])
            binary.setdefault(fields[1], set()).update(range(low, high + 1))
    assert all(each in binary for each in wanted)
binary_aliases = {}
for fields in lines("PropertyAliases.txt"):
    for name in binary:
        if name in fields:
            binary_aliases[name] = sorted(set(fields))


extending = binary["Grapheme_Extend"] | members(HANGUL_PARTS)
composing = {part for s in decomposition if s not in excluded for part in decomposed(s)[1:]}
composing = (composing | members(HANGUL_COMPOSING)) - set(marks)


def loose(name):
    return re.sub(r"[\s_-]", "", name).lower()


# --- Writing

def literal(name, text, comment):
    rows = [text[at:at + 108] for at in range(0, len(text), 108)]
    body = "\\\n".join("        " + row for row in rows)
    return f'    /// {comment}\n    static let {name}: StaticString = """\n{body}\n        """\n'


def write(file_name, enum, about, parts):
    with open(os.path.join(HERE, file_name), "w", encoding="utf-8") as file:
        file.write(f"// Generated by generate-unicode-tables.py from Unicode {VERSION}; do not edit.\n// {about}\n\n")
        file.write(f"enum {enum} {{\n" + "\n".join(parts) + "}\n")


def names(groups):
    return ";".join("=".join(group) for group in groups)


write("UnicodeFoldData.swift", "UnicodeFoldData", "Read by FoldTable.swift and CaseMapping.swift.", [
    literal("decompositions", packed_mappings({s: decomposed(s) for s in decomposition}),
            "Full canonical decompositions, Hangul left out. Mappings."),
    literal("caseFoldings", packed_mappings(folding), "Full case folding, C and F of CaseFolding.txt. Mappings."),
    literal("droppedMarks", packed_ranges(merged(marks)), "The marks that `[d]` drops (LANGUAGE C 10). Ranges."),
    literal("extending", packed_ranges(merged(extending)), "What extends a letter under `[c]` (LANGUAGE C 10). Ranges."),
    literal("composing", packed_ranges(merged(composing)), "What extends a letter under `[d]` and `[cd]`. Ranges."),
    literal("uppercase", packed_mappings(upper), "Full upper case, without language and context. Mappings."),
    literal("lowercase", packed_mappings(lower), "Full lower case, without language and context. Mappings."),
])
parts = [
    literal("categories", packed_runs(category), "The general category of every code point. Runs."),
    literal("categoryNames", names([[short] + sorted({loose(n) for n in aliases["gc"][short]} - {loose(short)})
                                    for short in CATEGORIES]),
            "Names of the values in `categories`, by number, each with its loose aliases."),
    literal("scripts", packed_runs(script), "The script of every code point. Runs."),
    literal("scriptNames", names([[short] + sorted({loose(n) for n in aliases["sc"][short]} - {loose(short)})
                                  for short in script_names]), "Names of the values in `scripts`, by number."),
    literal("binaryNames", names([[name] + sorted({loose(n) for n in binary_aliases.get(name, [])} - {loose(name)})
                                  for name in sorted(binary)]), "Names of the binary properties, in the order below."),
    literal("binary", "!".join(packed_property(binary[name]) for name in sorted(binary)),
            "Each binary property: its categories, and the ranges where it differs, divided by an exclamation mark."),
]
write("UnicodePropertyData.swift", "UnicodePropertyData", "Read by UnicodeProperties.swift.", parts)
