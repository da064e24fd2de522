import Foundation
import PredicateFoundation

final class InventoryReport {
    private let products: NSArray

    init(_ products: [Product]) { self.products = products as NSArray }

    func total(of key: String, function: String) -> Double {
        let expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        let list = NSExpression(format: "%@", expression)
        return (list.expressionValue(with: products, context: nil) as? NSNumber)?.doubleValue ?? 0
    }

    func value(of product: Product) -> Double {
        let expression = NSExpression(format: "price * stock")
        return expression.expressionValue(with: product, context: nil) as! Double
    }

    func lowStock(limit: Int, categories: [Category]) -> [String] {
        let names = categories.map { $0.rawValue }
        let predicate = NSPredicate(format: "stock < %d AND category IN %@", limit, names)
        return products.filtered(using: predicate).map { ($0 as! Product).name }
    }

    func priced(between low: Double, and high: Double) -> Int {
        products.filtered(using: NSPredicate(format: "price BETWEEN {%f, %f}", low, high)).count
    }
}
