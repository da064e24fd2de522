// GET /books?filter=…&sort=…&limit=…&cursor=…, from the texts of a request to a page of books.
//
// What a person typed is checked alone, so that an answer never shows the rule. Then the two are joined as trees, never as
// texts. The order ends with the id, so that it is total and a page can begin after a book.

import Foundation
import GRDB
import GRDBFilter
import PredicateStores

/// A page, and the text that asks for the next one; nil at the end.
struct Page: Codable {
    var books: [Book]
    var next: String?
}

/// Why a request has no answer, with the place in the filter for each mistake.
struct BadRequest: Error, Encodable {
    var message: String
    var mistakes: [Diagnostic.Located] = []
}

struct BookQuery: Sendable {
    let filter: FormatPredicate
    let key: SortKey
    let limit: Int
    let cursor: Cursor?

    /// The place after the last book of a page: the value of its sort key, and its id.
    struct Cursor: Codable, Sendable {
        var sort: String
        var value: Value
        var id: Int

        enum Value: Codable, Sendable, Equatable {
            case none, number(Double), text(String)
        }
    }

    /// - Throws: BadRequest.
    init(_ parameters: [String: String], in library: Library) throws {
        filter = try Self.filter(parameters["filter"] ?? "TRUEPREDICATE", in: library)

        let sort = parameters["sort"] ?? "id"
        let name = String(sort.drop { $0 == "-" })
        let keys = library.schema.entity("Book")?.attributes.map(\.name) ?? []
        guard keys.contains(name), sort.count - name.count < 2 else {
            throw BadRequest(message: "sort takes one of \(keys.joined(separator: ", ")), with - for the reverse order")
        }
        key = SortKey(name, descending: sort != name)

        let wanted = Int(parameters["limit"] ?? "20")
        guard let wanted, 1...100 ~= wanted else { throw BadRequest(message: "limit takes a number from 1 to 100") }
        limit = wanted

        cursor = try parameters["cursor"].map { text in
            let cursor = Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(Cursor.self, from: $0) }
            guard let cursor, cursor.sort == sort else {
                throw BadRequest(message: "the cursor is not one of this list")
            }
            return cursor
        }
    }

    private static func filter(_ text: String, in library: Library) throws -> FormatPredicate {
        do {
            let filter = try FormatPredicate(text: text)
            let errors = try TypeChecker(schema: library.schema, entity: "Book").check(filter).filter {
                $0.severity == .error
            }
            if errors.isEmpty { return filter }
            throw BadRequest(message: "the filter has mistakes", mistakes: errors.map { $0.located(in: text) })
        } catch let failure as PredicateFailure {
            throw BadRequest(message: "the filter has mistakes", mistakes: failure.located)
        }
    }

    /// Selects the books that follow the cursor in the order.
    private func rest() throws -> FormatPredicate {
        guard let cursor else { return .constant(true) }
        let (name, id) = (key.path, cursor.id)
        switch (cursor.value, key.isDescending) {
        // nil is first in the order, and last in the reverse one.
        case (.none, false): return try FormatPredicate("%K != nil OR (%K == nil AND id > %@)", name, name, id)
        case (.none, true): return try FormatPredicate("%K == nil AND id > %@", name, id)
        case (let value, false):
            return try FormatPredicate(
                "%K > %@ OR (%K == %@ AND id > %@)", name, value.argument, name, value.argument, id)
        case (let value, true):
            return try FormatPredicate(
                "%K < %@ OR %K == nil OR (%K == %@ AND id > %@)", name, value.argument, name, name, value.argument, id)
        }
    }

    /// - Throws: CancellationError when the deadline has passed.
    func page(for reader: Reader, from library: Library, within deadline: Duration) async throws -> Page {
        let all = try library.access(reader) && filter && rest()
        let request = try Book.filter(all, in: library.schema, sort: [key, SortKey("id")], limit: limit + 1)
        let run = PredicateRun(deadline: .now + deadline)
        let books = try await withThrowingTaskGroup(of: [Book]?.self) { group in
            group.addTask { try await library.pool.read { db in try request.fetchAll(db, run: run) } }
            group.addTask {
                try await Task.sleep(for: deadline)
                return nil
            }
            defer { group.cancelAll() }
            guard let books = try await group.next() ?? nil else { throw CancellationError() }
            return books
        }
        let page = Array(books.prefix(limit))
        return Page(books: page, next: books.count > limit ? page.last.map(position) ?? nil : nil)
    }

    private func position(after book: Book) -> String? {
        let value: Cursor.Value =
            switch key.path {
            case "title": .text(book.title)
            case "author": .text(book.author)
            case "year": book.year.map { .number(Double($0)) } ?? .none
            case "price": .number(book.price)
            case "shelf": .number(Double(book.shelf))
            default: .number(Double(book.id))
            }
        let cursor = Cursor(sort: (key.isDescending ? "-" : "") + key.path, value: value, id: book.id)
        return try? JSONEncoder().encode(cursor).base64EncodedString()
    }
}

extension BookQuery.Cursor.Value {
    var argument: any FormatArgumentConvertible {
        switch self {
        case .none: PredicateValue.null
        case .number(let number): number
        case .text(let text): text
        }
    }
}
