// Helpers for the tests of folds and patterns: scalars in hexadecimal, and data files with lists of differences.

import Foundation
import PredicateModel
import PredicateSyntax
import Testing

extension String {
    /// A scalar as a text; empty for a surrogate.
    init(scalar: UInt32) { self = Unicode.Scalar(scalar).map { String(Character($0)) } ?? "" }

    /// `00E9 0301`, or `-` for an empty text.
    var scalarsInHex: String {
        let numbers = unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
        }
        return numbers.isEmpty ? "-" : numbers.joined(separator: " ")
    }
}

/// The scalars assigned in Unicode 15.0. Foundation has newer data with more scalars.
let assignedScalars: CodePointSet = {
    let named = { (name: String) in UnicodeProperties.named(name) ?? .empty }
    return named("Assigned").subtracting(named("Cs")).subtracting(named("Co"))
}()

/// Options from letters such as `cd`.
func options(_ letters: String) -> ComparisonOptions {
    ComparisonOptions(ComparisonOptions.letters.filter { letters.contains($0.letter) }.map(\.option))
}

/// The letters of a folded text.
func letters(_ text: String, _ options: ComparisonOptions) -> [[UInt32]] {
    guard let table = FoldTable.table(options) else { return text.unicodeScalars.map { [$0.value] } }
    var letters: [[UInt32]] = []
    for scalar in table.fold(text.unicodeScalars.map(\.value)) {
        if letters.isEmpty || !table.extending.contains(scalar) {
            letters.append([scalar])
        } else {
            letters[letters.count - 1].append(scalar)
        }
    }
    return letters
}
