// The objects of the sample. They have no key table: predicates read their stored properties.
import Foundation

class Record: NSObject {
    let identifier: Int
    var created = Date(timeIntervalSinceReferenceDate: 0)

    init(identifier: Int) { self.identifier = identifier }
}

final class TodoTask: Record {
    var title = ""
    var isDone = false
    var priority = 0
    var dueDate: Date?
    var labels: [String] = []
    var assignee: Contact?
}

final class Contact: Record {
    var firstName = ""
    var lastName = ""
    var email: String?
    var phones: [String] = []
    var isFavorite = false
}

final class Photo: Record {
    var title = ""
    var width = 0
    var height = 0
    var people: [Contact] = []
    var place: Place?
    var rating = 0
}

struct Place {
    var city: String
    var country: String
}

final class Product: Record {
    var name = ""
    var price = 0.0
    var stock = 0
    var category = Category.other
}

enum Category: String {
    case tools, toys, other
}
