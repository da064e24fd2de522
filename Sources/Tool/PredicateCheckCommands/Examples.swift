// Sample data built into the command, so that the first example of the README runs in any folder.

/// Sample records, selected with `--example NAME`.
package struct Example {
    package let name: String
    /// The file name; its extension determines the format.
    package let file: String
    package let bytes: [UInt8]
    /// The default for `--types`: the date fields of the sample.
    package let types: String?

    package static let all = [
        Example(
            name: "todo", file: "todo.json", bytes: PackageResources.todo_json, types: "dueDate=date,lastAlert=date"),
        Example(name: "books", file: "books.json", bytes: PackageResources.books_json, types: nil),
    ]

    package static func named(_ name: String?) -> Example? { all.first { $0.name == name } }
}
