// Mistakes of people who use the package, each after the compiler's message for it. `.ci/examples` compares the messages.

import Predicates

enum Status: String { case active, closed }
struct Address { var city: String }

struct Customer: Queryable {
    var name: String
    var status: Status
    var others: [Status?]
    var address: Address?

    static let keys: KeyTable<Customer> = [
        .key("name", \.name),
        // error: 'key(_:_:get:)' is unavailable: make the type QueryableValue, as an enum with raw values, or Queryable; or use 'any:'
        .key("status", \.status),
        // error: 'key(_:_:get:)' is unavailable: make the type QueryableValue, as an enum with raw values, or Queryable; or use 'any:'
        .key("others", \.others),
        // error: 'key(_:_:get:)' is unavailable: make the type QueryableValue, as an enum with raw values, or Queryable; or use 'any:'
        .key("address", \.address),
        // error: 'key(_:_:get:)' is unavailable: make the type QueryableValue, as an enum with raw values, or Queryable; or use 'any:'
        .key("quick", \.status) { $0.status },
        // error: 'key(_:get:)' is unavailable: make the type QueryableValue, as an enum with raw values, or Queryable
        .key("closed") { $0.status },
        .key("any", any: \.address),
        .key("length") { $0.name.count },
    ]
}

// Two literals are no values of the language.
// error: binary operator '==' cannot be applied to operands of type 'String' and 'Bool'
let isValid = "isValid" == false
// error: binary operator '==' cannot be applied to operands of type 'String' and 'Int'
let isOne = "a" == 1
// error: cannot convert value of type 'String' to expected argument type 'Bool'
let isX = true != "x"
