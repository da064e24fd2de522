import Foundation
import PredicateFoundation

final class SettingsMigration {
    private let entries: NSMutableArray

    init(entries: [[String: Any]]) { self.entries = NSMutableArray(array: entries) }

    @discardableResult
    func removeObsolete(below version: Int) -> Int {
        let before = entries.count
        entries.filter(using: NSPredicate(format: "version >= %d || keep == YES", version))
        return before - entries.count
    }

    func keys(withPrefix prefix: String) -> [String] {
        let matching = entries.filtered(using: NSPredicate(format: "key BEGINSWITH %@", prefix)) as NSArray
        let sorted = matching.sortedArray(using: [NSSortDescriptor(key: "key", ascending: true)])
        return sorted.map { ($0 as! [String: Any])["key"] as! String }
    }

    func value(forSetting key: String) -> Any? {
        let predicate = NSPredicate(format: "%K == %@", "key", key)
        return (entries.filtered(using: predicate).first as? [String: Any])?["value"]
    }
}
