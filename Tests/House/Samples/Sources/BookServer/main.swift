// cd Tests/House/Samples && swift run BookServer books.sqlite 8080
// curl 'http://127.0.0.1:8080/books?filter=year%20%3E%201900&sort=-year' -H 'x-shelf: 1'

import Hummingbird

let arguments = CommandLine.arguments.dropFirst()
let library = try Library(path: arguments.first ?? "books.sqlite")
let port = arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
try await Application(router: bookRoutes(library), configuration: .init(address: .hostname("127.0.0.1", port: port)))
    .runService()
