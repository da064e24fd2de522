// What SQLite makes of the values of a column, by the type that its declaration names.
// https://www.sqlite.org/datatype3.html#determination_of_column_affinity

enum SQLiteAffinity {
    case integer, text, none, real, numeric

    /// - Parameter declared: in capitals.
    init(_ declared: String) {
        func says(_ words: String...) -> Bool { words.contains { declared.contains($0) } }
        self =
            says("INT")
            ? .integer
            : says("CHAR", "CLOB", "TEXT")
                ? .text
                : says("BLOB") || declared.isEmpty ? .none : says("REAL", "FLOA", "DOUB") ? .real : .numeric
    }

    /// Whether texts that look like numbers become numbers, stored or compared.
    var convertsTexts: Bool { [.integer, .real, .numeric].contains(self) }
}
