// swift-format-ignore-file
// The Swift of the overview of PredicateFoundation, compiled and run.

import Foundation
import PredicateFoundation
import Testing

@Suite struct PredicateFoundationExamples {
    @Test func examples() throws {
        // PredicateFoundation {
        let library: [[String: Any]] = [["title": "Emma", "year": 1815], ["title": "Dune", "year": 1965]]
        let modern = NSPredicate(format: "year > %d AND title BEGINSWITH[c] %@", 1900, "d")
        let titles = (library as NSArray).filtered(using: modern).compactMap { ($0 as? [String: Any])?["title"] as? String }
        // } PredicateFoundation
        #expect(titles == ["Dune"])
    }
}
