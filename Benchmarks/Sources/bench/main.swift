// bench [--tsv] [--rounds N] [WORD…]: measures the benchmarks whose names contain a word, or all.
// bench passes|columnpasses ID ROWS PASSES: counts by one of the seventeen predicates, for allocations.sh.
// bench hostile [PIECE…]: whether reading stays linear on a megabyte of each piece.
// bench people FILE: writes the million records of the columns' benchmarks, for other engines.
// bench threads [ID…]: columns on two threads against one.

var words = Array(CommandLine.arguments.dropFirst())
if words.first == "hostile" {
    HostileSizes.run(words.count > 1 ? Array(words.dropFirst()) : HostileSizes.pieces)
} else if words.first == "people", words.count == 2 {
    try PeopleTable.write(People.make(ColumnBenchmarks.rows), to: words[1])
} else if words.first == "threads" {
    try await ColumnBenchmarks.threads(Array(words.dropFirst()), rounds: 7)
} else if words.first == "columnpasses", words.count == 4, let rows = Int(words[2]), let passes = Int(words[3]) {
    ColumnBenchmarks.passes(words[1], rows: rows, passes: passes)
} else if words.first == "passes", words.count == 4, let rows = Int(words[2]), let passes = Int(words[3]) {
    PeopleBenchmarks.passes(words[1], rows: rows, passes: passes)
} else {
    let isTabSeparated = words.contains("--tsv")
    words.removeAll { $0 == "--tsv" }
    var rounds = 15
    if let option = words.firstIndex(of: "--rounds"), option + 1 < words.count {
        rounds = max(1, Int(words[option + 1]) ?? rounds)
        words.removeSubrange(option...(option + 1))
    }
    // Made only where they may be chosen: they need 100,000 records.
    let isFiltering = words.isEmpty || words.contains { $0.hasPrefix("count") || $0.hasPrefix("filter") }
    let isPeople = words.isEmpty || words.contains { $0.hasPrefix("P") || $0.hasPrefix("objects") }
    let isAboutColumns = words.contains { $0.hasPrefix("columns") }
    let all =
        ParsingBenchmarks.all + (isFiltering ? FilteringBenchmarks.all : []) + (isPeople ? PeopleBenchmarks.all : [])
        + (isAboutColumns ? ColumnBenchmarks.all : [])
    let chosen = all.filter { benchmark in
        words.isEmpty || words.contains { benchmark.name.contains($0) }
    }
    let measurements = Harness.measure(chosen, rounds: rounds)
    if isTabSeparated { Report.tabSeparated(measurements) } else { Report.table(measurements) }
}
