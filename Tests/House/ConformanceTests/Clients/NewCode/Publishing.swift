// A client: types of keys, and types of arguments. NewCodeTests.swift runs it and compiles it in other modes.

import Foundation
import PredicateFoundation

private enum ClientGenre: String, QueryableValue { case jazz, rock }

private nonisolated protocol ClientPet: Queryable {}

private struct ClientDog: ClientPet {
    var name: String
    static let keys: KeyTable<ClientDog> = [.key("name", \.name)]
}

private struct ClientAddress: Queryable {
    var city: String
    static let keys: KeyTable<ClientAddress> = [.key("city", \.city)]
}

private final class ClientLabel: Queryable, Sendable {
    let name: String
    init(name: String) { self.name = name }
    static let keys: KeyTable<ClientLabel> = [.key("name", \.name)]
}

private final class ClientSession: Queryable {
    var name = "live"
    init() {}
    static let keys: KeyTable<ClientSession> = [.key("name", \.name)]
}

private struct ClientAlbum: Queryable {
    var genre: ClientGenre
    var width: CGFloat
    var number: NSNumber
    var text: NSString
    var list: NSArray
    var ranks: [Int: String]
    var extras: [Any]
    var pets: [any ClientPet]
    var address: ClientAddress
    var label: ClientLabel
    var session: ClientSession

    static let keys: KeyTable<ClientAlbum> = [
        .key("genre", \.genre), .key("width", \.width), .key("number", \.number), .key("text", \.text),
        .key("list", \.list), .key("ranks", \.ranks), .key("extras", any: \.extras), .key("pets", any: \.pets),
        .key("address", \.address), .key("label", \.label), .key("session", \.session),
    ]
}

private struct ClientBox<Item: QueryableValue & Sendable>: Queryable {
    var item: Item
    static var keys: KeyTable<ClientBox> { .once(for: Self.self) { [.key("item", \.item)] } }
}

private class ClientShape: Queryable {
    var sides = 3
    init() {}
    class var keys: KeyTable<ClientShape> { .once(for: Self.self) { [.key("sides", \.sides)] } }
}

private nonisolated final class ClientSquare: ClientShape {
    override class var keys: KeyTable<ClientShape> {
        .once(for: Self.self) { [.key("sides", \.sides), .key("isSquare") { $0 is ClientSquare }] }
    }
}

@MainActor private final class ClientModel: Queryable {
    var title = "Inbox"
    init() {}
    nonisolated static let keys: KeyTable<ClientModel> = [
        .key("title") { model in MainActor.assumeIsolated { model.title } }
    ]
}

enum PublishingClient {
    @MainActor static func run() throws -> [String] {
        let (label, session) = (ClientLabel(name: "Impulse!"), ClientSession())
        let album = ClientAlbum(
            genre: .jazz, width: 3, number: 4, text: "five", list: [1, "two"], ranks: [1: "first"],
            extras: [1, "b", [2]], pets: [ClientDog(name: "Rex")], address: ClientAddress(city: "Rome"), label: label,
            session: session)
        let predicates = [
            try FormatPredicate("genre == %@ AND genre IN %@", ClientGenre.jazz, [ClientGenre.jazz, .rock]),
            try FormatPredicate("width == %@ AND number == %@", CGFloat(3), NSNumber(value: 4)),
            try FormatPredicate("text == %@ AND %@ == nil", NSString("five"), NSNull()),
            try FormatPredicate("2 IN %@ AND 'two' IN list", NSArray(array: [1, 2])),
            try FormatPredicate("'b' IN extras AND ANY pets.name == 'Rex'"),
            try FormatPredicate("ranks == %@", [1: "first"]),
            try FormatPredicate("address == %@", ClientAddress(city: "Rome")),
            try FormatPredicate("label == %@", FormatArgument.object(label)),
        ]
        var found = try predicates.map { "\(try $0.evaluate(album))" }
        found.append("\(try FormatPredicate("session == $s").evaluate(album, variables: ["s": session]))")
        do {
            _ = try FormatPredicate("session == %@", session)
        } catch {
            found.append(error.diagnostics[0].id.rawValue)
        }
        found.append("\(try [ClientBox(item: 3), ClientBox(item: 4)].filter("item > 3").count)")
        found.append("\(try [ClientSquare()].filter("isSquare == YES AND sides == 3").count)")
        found.append("\(try [ClientModel()].filter("title BEGINSWITH 'In'").count)")
        return found
    }
}
