// Sample data built into the command, so that the first example of the README runs in any folder.

/// Sample records, selected with `--example NAME`.
struct Example {
    let name: String
    /// The file name; its extension determines the format.
    let file: String
    let bytes: [UInt8]
    /// The default for `--types`: the date fields of the sample.
    let types: String?

    static let all = [
        Example(
            name: "todo", file: "todo.json", bytes: PackageResources.todo_json, types: "dueDate=date,lastAlert=date"),
        Example(name: "books", file: "books.json", bytes: PackageResources.books_json, types: nil),
    ]

    static func named(_ name: String?) -> Example? { all.first { $0.name == name } }
}
