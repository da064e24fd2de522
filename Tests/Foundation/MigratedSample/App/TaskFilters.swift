import PredicateCompatibility

enum TaskFilter: CaseIterable {
    case open, done, overdue, urgent, unassigned

    func predicate(now: Date) -> NSPredicate {
        switch self {
        case .open:
            return NSPredicate(format: "isDone == NO")
        case .done:
            return NSPredicate(format: "isDone == %@", NSNumber(value: true))
        case .overdue:
            return NSPredicate(format: "isDone == %d AND dueDate != nil AND dueDate < %@", false, now as NSDate)
        case .urgent:
            return NSPredicate(format: "%K >= %ld OR ANY labels ==[c] %@", #"priority"#, 3, "urgent")
        case .unassigned:
            return NSPredicate(format: "assignee == nil")
        }
    }
}

final class TaskList {
    private var tasks: [TodoTask]

    init(tasks: [TodoTask]) { self.tasks = tasks }

    func tasks(matching filter: TaskFilter, now: Date = Date()) -> [TodoTask] {
        return (tasks as NSArray).filtered(using: filter.predicate(now: now)) as! [TodoTask]
    }

    func count(_ filters: [TaskFilter], now: Date) -> Int {
        let parts = filters.map { $0.predicate(now: now) }
        let all = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        return tasks.filter { all.evaluate(with: $0) }.count
    }
}
