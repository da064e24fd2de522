import Foundation
import PredicateFoundation

final class FeedFilter {
    private var mutedWords: Set<String> = []
    private let seen = NSMutableSet()

    func mute(_ word: String) { mutedWords.insert(word.lowercased()) }

    private lazy var isNew = NSPredicate { [unowned self] object, _ in
        guard let post = object as? [String: Any], let id = post["id"] as? Int else { return false }
        return !self.seen.contains(id)
    }

    func visible(_ posts: [[String: Any]]) -> [Int] {
        var parts: [NSPredicate] = [isNew, NSPredicate(format: "hidden != YES")]
        parts += mutedWords.sorted().map { NSPredicate(format: "NOT (body CONTAINS[cd] %@)", $0) }
        let all = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        return posts.filter { all.evaluate(with: $0) }.map { $0["id"] as! Int }
    }

    func markSeen(_ ids: [Int]) { seen.addObjects(from: ids) }
}
