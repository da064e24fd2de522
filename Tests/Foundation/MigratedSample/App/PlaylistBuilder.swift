import Foundation
import PredicateFoundation

struct Song {
    var title: String
    var artist: String
    var year: Int
    var seconds: Double
    var plays: Int
}

class PlaylistBuilder {
    private(set) var songs: NSMutableArray = []

    func add(_ more: [Song]) { songs.addObjects(from: more) }

    func keep(_ format: String, _ arguments: [Any]) {
        songs.filter(using: NSPredicate(format: format, argumentArray: arguments))
    }

    func sort(by keys: [String], ascending: Bool = true) {
        songs.sort(using: keys.map { NSSortDescriptor(key: $0, ascending: ascending) })
    }

    var titles: [String] { songs.map { ($0 as! Song).title } }

    static func decade(_ start: Int) -> NSPredicate {
        NSPredicate(format: "year >= %d AND year < %d + 10", start, start)
    }
}
