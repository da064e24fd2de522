// Subclasses that a format creates, with what the app adds to them.
import Foundation

class Rule: NSPredicate {
    func matches(_ rows: [[String: Any]]) -> Int { rows.filter { evaluate(with: $0) }.count }
}

final class AgeRule: Rule {
    static func over(_ age: Int) -> AgeRule { AgeRule(format: "age > %d", age) }
}

final class AllOf: NSCompoundPredicate {
    var count: Int { subpredicates.count }
}

func ruleClasses() -> [String] {
    let rows: [[String: Any]] = [["age": 36], ["age": 17], ["age": 70]]
    let all = AllOf(andPredicateWithSubpredicates: [AgeRule.over(20), Rule(format: "age < 65")])
    let (named, template) = (Rule(format: "age IN {17, 70}"), AgeRule(format: "age == $age"))
    var lines = ["\(AgeRule.over(21).matches(rows)) \(named.matches(rows)) \(all.count)"]
    for row in rows {
        let isSame = template.evaluate(with: row, substitutionVariables: ["age": 17])
        lines.append("\(all.evaluate(with: row)) \(isSame)")
    }
    return lines
}
