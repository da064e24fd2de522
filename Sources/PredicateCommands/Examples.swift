// The sample data that is built into the command, so that the first example of the README runs from any folder.

/// Sample records by the name that `--example` takes.
struct Example {
    let name: String
    /// As a file would be called; its extension tells the format.
    let file: String
    let bytes: [UInt8]
    /// What `--types` is where it is not given: the sample's own dates.
    let types: String?

    static let all = [
        Example(
            name: "todo", file: "todo.json", bytes: PackageResources.todo_json, types: "dueDate=date,lastAlert=date"),
        Example(name: "books", file: "books.json", bytes: PackageResources.books_json, types: nil),
    ]

    static func named(_ name: String?) -> Example? { all.first { $0.name == name } }
}
