// swift run --package-path Tests/Samples BookServer books.sqlite
// curl 'http://127.0.0.1:8080/books?filter=year%20%3E%201900&sort=-year' -H 'x-shelf: 1'

import Hummingbird

let library = try Library(path: CommandLine.arguments.dropFirst().first ?? "books.sqlite")
try await Application(router: bookRoutes(library), configuration: .init(address: .hostname("127.0.0.1", port: 8080)))
    .runService()
