// Comparisons written with operators between expressions.
import Foundation

struct Column {
    let name: String
    var expression: NSExpression { NSExpression(forKeyPath: name) }
}

extension Column {
    func compared(_ type: NSComparisonPredicate.Operator, _ value: Any?, _ options: NSComparisonPredicate.Options = [])
        -> NSPredicate
    {
        NSComparisonPredicate(
            leftExpression: expression, rightExpression: NSExpression(forConstantValue: value), modifier: .direct,
            type: type, options: options)
    }

    static func == (left: Column, right: Any?) -> NSPredicate { left.compared(.equalTo, right) }
    static func > (left: Column, right: Int) -> NSPredicate { left.compared(.greaterThan, right) }
    static func ~= (left: Column, right: String) -> NSPredicate { left.compared(.contains, right, .caseInsensitive) }
}

func && (left: NSPredicate, right: NSPredicate) -> NSPredicate {
    NSCompoundPredicate(andPredicateWithSubpredicates: [left, right])
}

func comparisonBuilder() -> [String] {
    let (name, age) = (Column(name: "name"), Column(name: "age"))
    let rows: [[String: Any]] = [["name": "Ada", "age": 36], ["name": "Bob", "age": 17]]
    var predicates: [NSPredicate] = [name == "Ada", age > 20, name ~= "B", age == nil]
    predicates.append(predicates[1] && predicates[2])
    return predicates.map { predicate in "\(predicate.description) \(rows.map { predicate.evaluate(with: $0) })" }
}
