// A client: errors on screens. NewCodeTests.swift runs it and compiles it in other modes.

import Foundation
import PredicateFoundation

enum ScreensClient {
    static func run() -> [String] {
        do {
            _ = try FormatPredicate("🎷 == 1 OR name BEGINWITH 'A'")
            return []
        } catch {
            let general: any Error = error
            let span = error.diagnostics.last?.span ?? .none
            let range = span.range(in: error.source)
            let marks = error.markedSource.runs.compactMap { $0.alternateDescription }
            return [
                general.localizedDescription, error.recoverySuggestion ?? "", String(error.source[range]),
                "\(NSRange(range, in: error.source))", marks.joined(separator: " | "),
            ]
        }
    }
}
