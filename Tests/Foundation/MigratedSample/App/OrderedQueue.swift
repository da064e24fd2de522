import Foundation
import PredicateFoundation

struct DownloadJob: Hashable {
    enum State: Int {
        case waiting, running, finished
    }

    var url: URL
    var state: State
    var size: Int
}

final class OrderedQueue {
    private let jobs = NSMutableOrderedSet()

    func enqueue(_ job: DownloadJob) { jobs.add(job) }

    func jobs(in state: DownloadJob.State) -> [DownloadJob] {
        let predicate = NSPredicate(format: "state == %d", state.rawValue)
        return jobs.filtered(using: predicate).array as! [DownloadJob]
    }

    func dropFinished() { jobs.filter(using: NSPredicate(format: "state != %ld", DownloadJob.State.finished.rawValue)) }

    func largest() -> DownloadJob? {
        jobs.sortedArray(using: [NSSortDescriptor(key: "size", ascending: false)]).first as? DownloadJob
    }

    func contains(_ url: URL) -> Bool { jobs.filtered(using: NSPredicate(format: "url == %@", url as NSURL)).count > 0 }
}
