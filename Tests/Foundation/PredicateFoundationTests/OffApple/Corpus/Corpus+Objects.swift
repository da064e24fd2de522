// NSPredicate as apps write it: predicates made of objects.
import Foundation
import PredicateFoundation

extension Corpus {
    static var objects: [Line] {
        [
            Line("0 1 2 3 4 5 6 7", NSPredicate(format: "TRUEPREDICATE")),
            Line("", NSPredicate(format: "FALSEPREDICATE")),
            Line("3 6 7", NSPredicate(format: "TRUEPREDICATE AND year > 2000")),
            Line("0 1 2 3 4 5 6 7", NSPredicate(value: true)),
            Line("", NSPredicate(value: false)),
            Line("2", NSPredicate(format: "title == %@ AND year == %@", argumentArray: ["Dune", 1965])),
            Line("0", NSPredicate(format: "%K == %@", argumentArray: ["title", "Emma"])),
            Line("0 7", NSPredicate(format: "id IN %@", argumentArray: [[0, 7]])),
            Line("2 4", NSPredicate(format: "title BEGINSWITH $LETTER").withSubstitutionVariables(["LETTER": "D"])),
            Line(
                "1 5",
                NSPredicate(format: "year BETWEEN {$FROM, $TO}").withSubstitutionVariables(["FROM": 1900, "TO": 1950])),
            Line("2 4", NSPredicate(format: "id IN $IDS").withSubstitutionVariables(["IDS": [2, 4]])),
            Line(
                "4 6 7",
                NSCompoundPredicate(andPredicateWithSubpredicates: [
                    NSPredicate(format: "year > 1950"), NSPredicate(format: "price < 11"),
                ])),
            Line(
                "1 2",
                NSCompoundPredicate(orPredicateWithSubpredicates: [
                    NSPredicate(format: "id == 1"), NSPredicate(format: "id == 2"),
                ])),
            Line(
                "0 2 3 5 6 7", NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "isLent == YES"))),
            Line("0 1 2 3 4 5 6 7", NSCompoundPredicate(type: .and, subpredicates: [])),
            Line("", NSCompoundPredicate(type: .or, subpredicates: [])),
            Line(
                "0 2",
                NSCompoundPredicate(
                    type: .or, subpredicates: ["Emma", "Dune"].map { NSPredicate(format: "title == %@", $0) })),
            Line(
                "3 4 6 7",
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "year"),
                    rightExpression: NSExpression(forConstantValue: 1965), modifier: .direct, type: .greaterThan,
                    options: [])),
            Line(
                "2 4",
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "title"),
                    rightExpression: NSExpression(forConstantValue: "dune*"), modifier: .direct, type: .like,
                    options: [.caseInsensitive])),
            Line(
                "0 1 5",
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "tags"),
                    rightExpression: NSExpression(forConstantValue: "classic"), modifier: .any, type: .equalTo,
                    options: [])),
            Line(
                "0 1 3 4 5 7",
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "reviews.stars"),
                    rightExpression: NSExpression(forConstantValue: 3), modifier: .all, type: .greaterThanOrEqualTo,
                    options: [])),
            Line(
                "1 3",
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "id"),
                    rightExpression: NSExpression(forConstantValue: [1, 3]), modifier: .direct, type: .in, options: [])),
            Line(
                "1 5",
                NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "year"),
                    rightExpression: NSExpression(forAggregate: [
                        NSExpression(forConstantValue: 1900), NSExpression(forConstantValue: 1950),
                    ]), modifier: .direct, type: .between, options: [])),
            Line(
                "0",
                NSComparisonPredicate(
                    leftExpression: NSExpression(
                        forFunction: "uppercase:", arguments: [NSExpression(forKeyPath: "title")]),
                    rightExpression: NSExpression(forConstantValue: "EMMA"), modifier: .direct, type: .equalTo,
                    options: [])),
            Line(
                "",
                NSComparisonPredicate(
                    leftExpression: NSExpression(format: "price * 2"),
                    rightExpression: NSExpression(forKeyPath: "pages"), modifier: .direct, type: .greaterThan,
                    options: [])),
            Line("0 1 5 6 7", NSPredicate(format: "%@ < 10", NSExpression(forKeyPath: "price"))),
            Line(
                "2",
                NSPredicate(format: "%@ > %@", NSExpression(format: "pages / 100"), NSExpression(forConstantValue: 4))),
        ]
    }
}
