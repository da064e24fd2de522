// A client: what can be published, and what can be an argument. NewCodeTests.swift runs it and compiles it in other modes.

import Foundation
import PredicateFoundation

private enum Genre: String, QueryableValue { case jazz, rock }

private nonisolated protocol Pet: Queryable {}

private struct Dog: Pet {
    var name: String
    static let keys: KeyTable<Dog> = [.key("name", \.name)]
}

private struct Address: Queryable {
    var city: String
    static let keys: KeyTable<Address> = [.key("city", \.city)]
}

private final class Label: Queryable, Sendable {
    let name: String
    init(name: String) { self.name = name }
    static let keys: KeyTable<Label> = [.key("name", \.name)]
}

private final class Session: Queryable {
    var name = "live"
    init() {}
    static let keys: KeyTable<Session> = [.key("name", \.name)]
}

private struct Album: Queryable {
    var genre: Genre
    var width: CGFloat
    var number: NSNumber
    var text: NSString
    var list: NSArray
    var ranks: [Int: String]
    var extras: [Any]
    var pets: [any Pet]
    var address: Address
    var label: Label
    var session: Session

    static let keys: KeyTable<Album> = [
        .key("genre", \.genre), .key("width", \.width), .key("number", \.number), .key("text", \.text),
        .key("list", \.list), .key("ranks", \.ranks), .key("extras", any: \.extras), .key("pets", any: \.pets),
        .key("address", \.address), .key("label", \.label), .key("session", \.session),
    ]
}

private struct Box<Item: QueryableValue & Sendable>: Queryable {
    var item: Item
    static var keys: KeyTable<Box> { .once(for: Self.self) { [.key("item", \.item)] } }
}

private class Shape: Queryable {
    var sides = 3
    init() {}
    class var keys: KeyTable<Shape> { .once(for: Self.self) { [.key("sides", \.sides)] } }
}

private nonisolated final class Square: Shape {
    override class var keys: KeyTable<Shape> {
        .once(for: Self.self) { [.key("sides", \.sides), .key("isSquare") { $0 is Square }] }
    }
}

@MainActor private final class Model: Queryable {
    var title = "Inbox"
    init() {}
    nonisolated static let keys: KeyTable<Model> = [
        .key("title") { model in MainActor.assumeIsolated { model.title } }
    ]
}

enum PublishingClient {
    @MainActor static func run() throws -> [String] {
        let (label, session) = (Label(name: "Impulse!"), Session())
        let album = Album(
            genre: .jazz, width: 3, number: 4, text: "five", list: [1, "two"], ranks: [1: "first"],
            extras: [1, "b", [2]], pets: [Dog(name: "Rex")], address: Address(city: "Rome"), label: label,
            session: session)
        let predicates = [
            try FormatPredicate("genre == %@ AND genre IN %@", Genre.jazz, [Genre.jazz, .rock]),
            try FormatPredicate("width == %@ AND number == %@", CGFloat(3), NSNumber(value: 4)),
            try FormatPredicate("text == %@ AND %@ == nil", NSString("five"), NSNull()),
            try FormatPredicate("2 IN %@ AND 'two' IN list", NSArray(array: [1, 2])),
            try FormatPredicate("'b' IN extras AND ANY pets.name == 'Rex'"),
            try FormatPredicate("ranks == %@", [1: "first"]),
            try FormatPredicate("address == %@", Address(city: "Rome")),
            try FormatPredicate("label == %@", FormatArgument.object(label)),
        ]
        var found = try predicates.map { "\(try $0.evaluate(album))" }
        found.append("\(try FormatPredicate("session == $s").evaluate(album, variables: ["s": session]))")
        do {
            _ = try FormatPredicate("session == %@", session)
        } catch {
            found.append(error.diagnostics[0].id.rawValue)
        }
        found.append("\(try [Box(item: 3), Box(item: 4)].filter("item > 3").count)")
        found.append("\(try [Square()].filter("isSquare == YES AND sides == 3").count)")
        found.append("\(try [Model()].filter("title BEGINSWITH 'In'").count)")
        return found
    }
}
