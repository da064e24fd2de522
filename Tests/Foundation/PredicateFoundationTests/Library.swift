// The objects of the corpus, in three forms: a published class, a class without a key table, and dictionaries.
import Foundation
import PredicateFoundation

/// One book as plain data.
struct BookData {
    var id: Int
    var title: String
    var author: String
    var country: String?
    var year: Int
    var price: Double
    var pages: Int
    var tags: [String]
    var stars: [Int]
    var isLent = false

    var date: Date { Date(timeIntervalSinceReferenceDate: Double(year - 2001) * 31_556_952) }

    static let all: [BookData] = [
        BookData(
            id: 0, title: "Emma", author: "Jane Austen", country: "England", year: 1815, price: 7.5, pages: 474,
            tags: ["classic", "novel"], stars: [5, 4, 4]),
        BookData(
            id: 1, title: "L'Étranger", author: "Albert Camus", country: "France", year: 1942, price: 9, pages: 159,
            tags: ["novel", "classic", "french"], stars: [5, 3], isLent: true),
        BookData(
            id: 2, title: "Dune", author: "Frank Herbert", country: "USA", year: 1965, price: 12.99, pages: 612,
            tags: ["sci-fi", "novel"], stars: [5, 5, 5, 2]),
        BookData(
            id: 3, title: "Swift in Depth", author: "Tjeerd in 't Veen", country: nil, year: 2018, price: 45,
            pages: 384, tags: ["code"], stars: []),
        BookData(
            id: 4, title: "Dune Messiah", author: "Frank Herbert", country: "USA", year: 1969, price: 10.5,
            pages: 256, tags: ["sci-fi"], stars: [4, 3], isLent: true),
        BookData(
            id: 5, title: "A Room of One's Own", author: "Virginia Woolf", country: "England", year: 1929, price: 6,
            pages: 172, tags: ["essay", "classic"], stars: [4]),
        BookData(
            id: 6, title: "The Art of Code", author: "Ada Lee", country: nil, year: 2023, price: 0, pages: 90,
            tags: [], stars: [1]),
        BookData(
            id: 7, title: "100% Cotton", author: "Émile Zola", country: "France", year: 2001, price: 9.99, pages: 100,
            tags: ["craft"], stars: [3, 3, 3]),
    ]
}

/// A published class.
final class Book: Queryable {
    let data: BookData
    let author: Author
    let reviews: [Review]
    init(_ data: BookData) {
        self.data = data
        author = Author(name: data.author, country: data.country)
        reviews = data.stars.map(Review.init)
    }
    static let keys: KeyTable<Book> = [
        .key("id", \.data.id), .key("title", \.data.title), .key("author", \.author), .key("year", \.data.year),
        .key("price", \.data.price), .key("pages", \.data.pages), .key("tags", \.data.tags), .key("reviews", \.reviews),
        .key("isLent", \.data.isLent), .key("date", \.data.date),
    ]
}

struct Author: Queryable {
    var name: String
    var country: String?
    static let keys: KeyTable<Author> = [.key("name", \.name), .key("country", \.country)]
}

struct Review: Queryable {
    var stars: Int
    static let keys: KeyTable<Review> = [.key("stars", \.stars)]
}

/// A class without a key table, half of it inherited.
class PlainWork: NSObject {
    let id: Int
    let title: String
    let author: PlainAuthor
    let year: Int
    let date: Date
    init(_ data: BookData) {
        (id, title, year, date) = (data.id, data.title, data.year, data.date)
        author = PlainAuthor(name: data.author, country: data.country)
    }
}

final class PlainBook: PlainWork {
    let price: Double
    let pages: Int
    let tags: [String]
    let reviews: [PlainReview]
    let isLent: Bool
    override init(_ data: BookData) {
        (price, pages, tags, isLent) = (data.price, data.pages, data.tags, data.isLent)
        reviews = data.stars.map(PlainReview.init)
        super.init(data)
    }
}

struct PlainAuthor {
    var name: String
    var country: String?
}

struct PlainReview {
    var stars: Int
}

extension BookData {
    var dictionary: [String: Any] {
        var author: [String: Any] = ["name": author]
        author["country"] = country
        return [
            "id": id, "title": title, "author": author, "year": year, "price": price, "pages": pages, "tags": tags,
            "reviews": stars.map { ["stars": $0] }, "isLent": isLent, "date": date,
        ]
    }
}
