// GET /books?filter=…&sort=…&limit=…&cursor=…, from the texts of a request to a page of books.
//
// What a person typed is checked alone, so that an answer never shows the rule. Then the two are joined as trees, never as
// texts.

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
    var mistakes: [PredicateDiagnostic.Located] = []
}

struct BookQuery: Sendable {
    let filter: FormatPredicate
    let sort: PredicateSortKey
    let limit: Int
    let after: FetchPosition?

    /// - Throws: BadRequest.
    init(_ parameters: [String: String], in library: Library) throws {
        filter = try Self.filter(parameters["filter"] ?? "TRUEPREDICATE", in: library)

        let order = parameters["sort"] ?? "id"
        let name = String(order.drop { $0 == "-" })
        let keys = library.schema.entity("Book")?.attributes.map(\.name) ?? []
        guard keys.contains(name), order.count - name.count < 2 else {
            throw BadRequest(message: "sort takes one of \(keys.joined(separator: ", ")), with - for the reverse order")
        }
        sort = PredicateSortKey(name, descending: order != name)

        let wanted = Int(parameters["limit"] ?? "20")
        guard let wanted, 1...100 ~= wanted else { throw BadRequest(message: "limit takes a number from 1 to 100") }
        limit = wanted

        do {
            after = try parameters["cursor"].map { text in try FetchPosition(text) }
        } catch {
            throw BadRequest(message: "\(error)")
        }
    }

    private static func filter(_ text: String, in library: Library) throws -> FormatPredicate {
        do {
            let filter = try FormatPredicate(text: text)
            let findings = try TypeChecker(schema: library.schema, entity: "Book").check(filter)
            let errors = findings.filter { $0.severity == .error }
            if errors.isEmpty { return filter }
            throw BadRequest(message: "the filter has mistakes", mistakes: errors.map { $0.located(in: text) })
        } catch let failure as PredicateFailure {
            throw BadRequest(message: "the filter has mistakes", mistakes: failure.located)
        }
    }

    /// - Throws: CancellationError when the deadline has passed; BadRequest for the cursor of another list.
    func page(for reader: Reader, from library: Library, within deadline: Duration) async throws -> Page {
        let allowed = try library.access(reader) && filter
        let request: PredicateRequest<Book>
        do {
            // One book more shows whether there is another page.
            request = try Book.filter(allowed, in: library.schema, sort: [sort], limit: limit + 1, after: after)
        } catch .position(let reason) {
            throw BadRequest(message: "the cursor is not one of this list: \(reason)")
        } catch .request(let failure) {
            // What the check alone does not find, such as a predicate that is too long together with the rule.
            throw BadRequest(message: "the filter cannot be used", mistakes: failure.located(in: filter))
        }
        let run = PredicateRun(deadline: deadline)
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
        let shown = Array(books.prefix(limit))
        guard books.count > limit, let last = shown.last else { return Page(books: shown) }
        let next = try StoreRequest("Book", sort: [sort]).position(after: last, in: library.schema)
        return Page(books: shown, next: next.description)
    }
}
