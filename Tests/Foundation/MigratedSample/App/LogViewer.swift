import Foundation
import PredicateFoundation

struct LogViewer {
    let lines: [String]

    func lines(matching format: String) -> [String] {
        let predicate = NSPredicate(format: format)
        return lines.filter { predicate.evaluate(with: $0) }
    }

    func lines(like pattern: String) -> Set<String> {
        NSSet(array: lines).filtered(using: NSPredicate(format: "SELF LIKE[c] %@", pattern)) as! Set<String>
    }

    func errors(except ignored: [String]) -> [String] {
        let errors = NSPredicate(format: "SELF BEGINSWITH 'E/' OR SELF CONTAINS[c] 'error'")
        let wanted = NSCompoundPredicate(
            andPredicateWithSubpredicates: [errors] + ignored.map { NSPredicate(format: "NOT SELF ENDSWITH %@", $0) })
        return (lines as NSArray).filtered(using: wanted) as! [String]
    }

    func withArguments(_ format: String, _ arguments: CVarArg...) -> [String] {
        let predicate = withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
        return lines.filter(predicate.evaluate)
    }
}
