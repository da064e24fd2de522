// Tests one object with sets of predicates, compared with testing all matchers and with handwritten dispatch.
import PredicateEvaluation
import PredicateModel
import PredicateRules
import PredicateSyntax

/// An offer of a shop.
struct Offer: Queryable {
    var user: Int
    var seller: Int
    var sku: String
    var country: String
    var category: String
    var price: Double
    var stock: Int
    var title: String
    var tags: [String]

    static let keys: KeyTable<Offer> = [
        .key("user", \.user), .key("seller", \.seller), .key("sku", \.sku), .key("country", \.country),
        .key("category", \.category), .key("price", \.price), .key("stock", \.stock), .key("title", \.title),
        .key("tags", \.tags),
    ]

    static let sample = Offer(
        user: 2500, seller: 2500, sku: "SKU-2500", country: "C-2500", category: "CATEGORY 2500", price: 25, stock: 7,
        title: "Offer 02500 with CODE02500 inside", tags: ["tag-2500", "red"])
}

/// A measurement of one number.
struct Reading: Queryable {
    var value: Double
    static let keys: KeyTable<Reading> = [.key("value", \.value)]
}

/// Generates predicates. The sample offer matches ten of them if 2500 is among the numbers.
private enum SavedSearches {
    static func text(_ kind: Int, _ number: Int) -> String {
        let digits = String(String(100_000 + number).dropFirst())
        let price = Double(number) / 100
        switch kind {
        case 0: return "user == \(number)"
        case 1: return "sku == 'SKU-\(number)'"
        case 2: return "user IN {\(number + 90_000), \(number + 90_001), \(number + 90_002)}"
        case 3: return "country == 'C-\(number)' AND price > 1000"
        case 4: return "sku IN {'A-\(number)', 'SKU-\(number)'}"
        case 5: return "category ==[c] 'Category \(number)'"
        case 6: return "user == \(number) AND stock == 8"
        case 7: return "seller == \(number + 7000)"
        case 8: return "seller IN {\(number + 7000), \(number + 8000)}"
        case 9: return "country == 'C-\(number)' AND category == 'x'"
        case 10: return "sku == 'X-\(number)'"
        case 11: return "user == \(number) AND price < 1"
        case 12: return "price BETWEEN {\(price), \(price + 0.005)}"
        case 13: return "price > \(price) AND price < \(price + 0.01) AND stock > 3"
        case 14: return "title BEGINSWITH 'Offer \(digits)'"
        case 15: return "title CONTAINS[cd] 'code\(digits)'"
        case 16: return "title CONTAINS 'zz\(digits)'"
        case 17: return "user == \(number + 90_000) OR sku == 'SKU-\(number)'"
        case 18: return "NOT (seller != \(number) OR stock > 100)"
        default: return "ANY tags == 'tag-\(number)'"
        }
    }

    /// Twenty kinds of predicate for each number; twelve of them are equality and IN.
    static func make(_ numbers: Range<Int>) -> [(Int, FormatPredicate)] {
        var all: [(Int, FormatPredicate)] = []
        for number in numbers {
            for kind in 0..<20 {
                if let predicate = try? FormatPredicate(text(kind, number)) { all.append((all.count, predicate)) }
            }
        }
        return all
    }
}

/// Handwritten code: a table for each key that is compared for equality, and a list of closures for the rest.
private struct HandDispatch {
    private var users: [Int: [Int]] = [:]
    private var sellers: [Int: [Int]] = [:]
    private var skus: [String: [Int]] = [:]
    private var categories: [String: [Int]] = [:]
    private var tags: [String: [Int]] = [:]
    private var countries: [String: [(Int, @Sendable (Offer) -> Bool)]] = [:]
    private var others: [(Int, @Sendable (Offer) -> Bool)] = []

    init(_ numbers: Range<Int>) {
        var id = 0
        for number in numbers {
            let digits = String(String(100_000 + number).dropFirst())
            let price = Double(number) / 100
            users[number, default: []].append(id)
            skus["SKU-\(number)", default: []] += [id + 1, id + 4, id + 17]
            for each in 0..<3 { users[number + 90_000 + each, default: []].append(id + 2) }
            countries["C-\(number)", default: []].append((id + 3, { $0.price > 1000 }))
            skus["A-\(number)", default: []].append(id + 4)
            categories["category \(number)", default: []].append(id + 5)
            countries["C-\(number)", default: []].append((id + 9, { $0.category == "x" }))
            sellers[number + 7000, default: []] += [id + 7, id + 8]
            sellers[number + 8000, default: []].append(id + 8)
            skus["X-\(number)", default: []].append(id + 10)
            others.append((id + 6, { $0.user == number && $0.stock == 8 }))
            others.append((id + 11, { $0.user == number && $0.price < 1 }))
            others.append((id + 12, { $0.price >= price && $0.price <= price + 0.005 }))
            others.append((id + 13, { $0.price > price && $0.price < price + 0.01 && $0.stock > 3 }))
            others.append((id + 14, { $0.title.hasPrefix("Offer \(digits)") }))
            sellers[number, default: []].append(id + 18)
            tags["tag-\(number)", default: []].append(id + 19)
            id += 20
        }
    }

    /// Without the predicates on substrings, for which handwritten code would use another algorithm.
    func matching(_ offer: Offer) -> [Int] {
        var found: [Int] = []
        found += users[offer.user] ?? []
        found += sellers[offer.seller] ?? []
        found += skus[offer.sku] ?? []
        found += categories[offer.category.lowercased()] ?? []
        for tag in offer.tags { found += tags[tag] ?? [] }
        for (id, test) in countries[offer.country] ?? [] where test(offer) { found.append(id) }
        for (id, test) in others where test(offer) { found.append(id) }
        return found
    }
}

enum SetBenchmarks {
    private static func scan(_ predicates: [(Int, FormatPredicate)]) -> [PredicateMatcher<Offer>] {
        predicates.compactMap { try? $0.1.compiled(for: Offer.self) }
    }

    private static func make(_ predicates: [(Int, FormatPredicate)]) -> PredicateSet<Int, Offer>? {
        guard let set = try? PredicateSet<Int, Offer>() else { return nil }
        try? set.insert(contentsOf: predicates)
        return set
    }

    static var all: [Benchmark] {
        let (few, many) = (SavedSearches.make(2498..<2503), SavedSearches.make(0..<5000))
        let before = Harness.memoryInUse()
        let built = make(many)
        let bytes = (Harness.memoryInUse() - before) * 1024 / many.count
        guard let small = make(few), let large = built, let ranges = try? PredicateSet<Int, Reading>() else {
            return []
        }
        let offer = Offer.sample
        let (fewMatchers, manyMatchers) = (scan(few), scan(many))
        let (hand, largeHand) = (HandDispatch(2498..<2503), HandDispatch(0..<5000))
        let expected = manyMatchers.indices.filter { manyMatchers[$0].matches(offer) }
        print(
            "matching \(large.matching(offer).count) of \(large.count), \(small.matching(offer).count) of \(small.count)"
        )
        print("as a scan finds: \(large.matching(offer) == expected); bytes for each predicate: \(bytes)")
        print(large.statistics.indexed.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", "))
        let texts = (0..<10_000).map { "value BETWEEN {\($0), \($0).9}" }
        try? ranges.insert(
            contentsOf: texts.enumerated().compactMap { id, text in
                (try? FormatPredicate(text)).map { (id, $0) }
            })
        let reading = Reading(value: 5000.5)
        let bounds = (0..<10_000).map { (Double($0), Double($0) + 0.9) }
        let loaded = SavedSearches.make(0..<500)
        let swapped = [few[0].1, few[12].1, few[15].1, few[19].1]
        let changing = make(many)
        var turn = 0
        var all = matching("set of 100, 10 match", goal: 200, small, fewMatchers, hand)
        all += matching("set of 100,000, 10 match", goal: 2000, large, manyMatchers, largeHand)
        all += [
            Benchmark("set of 10,000 ranges, 1 matches", goal: 150, against: "binary search") {
                var (low, high) = (0, bounds.count)
                while low < high {
                    let middle = (low + high) / 2
                    if bounds[middle].1 < reading.value { low = middle + 1 } else { high = middle }
                }
                return low < bounds.count && bounds[low].0 <= reading.value ? 1 : 0
            } ours: {
                ranges.matching(reading).count
            },
            Benchmark("set loading 10,000", items: 10_000, goal: 15_000_000, against: "compiled") {
                scan(loaded).count
            } ours: {
                make(loaded)?.count ?? 0
            },
            Benchmark("set change of 100,000", goal: 20_000, against: "compiled") {
                (try? swapped[0].compiled(for: Offer.self)) == nil ? 0 : 1
            } ours: {
                turn += 1
                try? changing?.insert(swapped[turn % swapped.count], for: (turn &* 7919) % many.count)
                return turn
            },
        ]
        return all + [whyNot].compactMap(\.self)
    }

    /// Compares one set with both references.
    private static func matching(
        _ name: String, goal: Double, _ set: PredicateSet<Int, Offer>, _ matchers: [PredicateMatcher<Offer>],
        _ hand: HandDispatch
    ) -> [Benchmark] {
        let offer = Offer.sample
        let ours = { set.matching(offer).count }
        return [
            Benchmark(
                name, goal: goal, against: "scan", reference: { matchers.count { $0.matches(offer) } }, ours: ours),
            Benchmark(
                name + ", by hand", goal: goal, against: "by hand", reference: { hand.matching(offer).count },
                ours: ours),
        ]
    }

    /// The explanation of a predicate of ten terms, of which one is false for the object.
    private static var whyNot: Benchmark? {
        let terms = (0..<10).map { "k\($0) >= \($0) " }.joined(separator: "AND ")
        guard let predicate = try? FormatPredicate(terms) else { return nil }
        let object = PredicateValue.dictionary(
            ValueDictionary((0..<10).map { ("k\($0)", PredicateValue.integer($0 == 7 ? 1 : Int64($0))) }))
        return Benchmark("set why-not of ten terms", goal: 1_000_000, against: "evaluate") {
            (try? predicate.evaluate(object)) ?? true ? 1 : 0
        } ours: {
            (try? predicate.explanation(for: object))?.changes.count ?? 0
        }
    }
}
