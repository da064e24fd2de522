// Runs the corpus: lines with NSPredicate from typical apps, on published objects, on objects that are read by their
// stored properties, and on dictionaries. All must give the same answers.
import Foundation
@testable import PredicateFoundation
import PredicateTestSupport
import Testing

/// The lines of the corpus, each with the numbers of the books that it selects.
enum Corpus {
    struct Line {
        let expected: String
        let predicate: NSPredicate
        let place: Int

        init(_ expected: String, _ predicate: NSPredicate, line: Int = #line) {
            (self.expected, self.predicate, place) = (expected, predicate, line)
        }
    }

    static var all: [Line] { values + relations + objects }
}

@Suite struct CorpusTests {
    private static func found(_ objects: [Any], _ predicate: NSPredicate) throws -> String {
        try objects.enumerated().filter { try predicate.evaluate(checking: $0.element) }.map { "\($0.offset)" }
            .joined(separator: " ")
    }

    @Test func everyLineSelectsItsBooks() throws {
        #expect(Corpus.all.count >= 150)
        for line in Corpus.all {
            let name = "line \(line.place): \(line.predicate)"
            #expect(try Self.found(BookData.all.map(Book.init), line.predicate) == line.expected, "\(name)")
            #expect(try Self.found(BookData.all.map(PlainBook.init), line.predicate) == line.expected, "plain, \(name)")
            #expect(
                try Self.found(BookData.all.map(\.dictionary), line.predicate) == line.expected, "dictionary, \(name)")
        }
    }

    @Test func arraysAreFiltered() {
        let books = BookData.all.map(Book.init)
        for line in Corpus.all {
            let found = (books as NSArray).filtered(using: line.predicate).compactMap { ($0 as? Book)?.data.id }
            #expect(found.map(String.init).joined(separator: " ") == line.expected, "line \(line.place)")
        }
    }

    /// Each line's predicate object has the structure of its text.
    @Test func everyLineHasAStructure() throws {
        for line in Corpus.all {
            let predicate = try FormatPredicate(line.predicate)
            // A minus before an expression is a subtraction from 0. Sets have no order, so the sorted characters are
            // compared.
            let text = "\(BlockFormula.predicate(line.predicate).root)".replacing("-price", with: "0 - price")
            #expect("\(predicate)".sorted() == text.sorted(), "line \(line.place)")
            #expect(try FormatPredicate(NSPredicate(predicate)) == predicate, "line \(line.place)")
        }
    }
}
