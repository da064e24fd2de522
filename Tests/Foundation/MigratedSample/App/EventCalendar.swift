import Foundation
import PredicateFoundation

struct EventCalendar {
    static let overlapTemplate = NSPredicate(format: "start < $END AND end > $START")

    var events: [[String: Any]]

    func events(from start: Date, to end: Date) -> [[String: Any]] {
        let predicate = EventCalendar.overlapTemplate.withSubstitutionVariables(["START": start, "END": end])
        return events.filter { predicate.evaluate(with: $0) }
    }

    func events(on days: ClosedRange<Date>, titled title: String?) -> Int {
        let range = NSPredicate(format: "start BETWEEN %@", [days.lowerBound, days.upperBound])
        guard let title = title else {
            return events.filter(range.evaluate).count
        }
        let byTitle = NSPredicate(format: "title LIKE[cd] %@", "*\(title)*")
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [range, byTitle])
        return events.filter(both.evaluate).count
    }

    func isBusy(at date: Date) -> Bool {
        events.contains {
            EventCalendar.overlapTemplate.evaluate(with: $0, substitutionVariables: ["START": date, "END": date])
        }
    }
}
