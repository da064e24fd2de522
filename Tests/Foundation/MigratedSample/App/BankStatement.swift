import Foundation
import PredicateFoundation

struct Booking {
    var amount: Decimal
    var text: String
    var date: Date
}

struct BankStatement {
    let bookings: [Booking]

    func bookings(over amount: NSDecimalNumber) -> [Booking] {
        let predicate = NSPredicate(format: "amount > %@ OR amount < -%@", amount, amount)
        return bookings.filter { predicate.evaluate(with: $0) }
    }

    func rent() -> [Booking] {
        let words = ["rent", "lease"]
        let parts = words.map { NSPredicate(format: "text CONTAINS[c] %@", $0) }
        let predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: [
                NSCompoundPredicate(orPredicateWithSubpredicates: parts), NSPredicate(format: "amount < 0"),
            ])
        return bookings.filter { predicate.evaluate(with: $0) }
    }

    var total: NSNumber? {
        let sum = NSExpression(format: "bookings.@sum.amount")
        return sum.expressionValue(with: ["bookings": bookings], context: nil) as? NSNumber
    }
}
