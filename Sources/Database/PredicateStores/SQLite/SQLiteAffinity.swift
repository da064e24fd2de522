// How SQLite converts the values of a column, by its declared type.
// https://www.sqlite.org/datatype3.html#determination_of_column_affinity

enum SQLiteAffinity {
    case integer, text, none, real, numeric

    /// - Parameter declared: the declared type in capitals.
    init(_ declared: String) {
        func has(_ words: String...) -> Bool { words.contains { declared.contains($0) } }
        self =
            has("INT")
            ? .integer
            : has("CHAR", "CLOB", "TEXT")
                ? .text
                : has("BLOB") || declared.isEmpty ? .none : has("REAL", "FLOA", "DOUB") ? .real : .numeric
    }

    /// Whether texts that look like numbers are converted to numbers when they are stored or compared.
    var convertsTexts: Bool { [.integer, .real, .numeric].contains(self) }
}
