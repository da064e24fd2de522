// bench [--tsv] [--rounds N] [WORD…]: measures the benchmarks whose names contain a word, or all.
// bench hostile [PIECE…]: whether reading stays linear on a megabyte of each piece.

var words = Array(CommandLine.arguments.dropFirst())
if words.first == "hostile" {
    HostileSizes.run(words.count > 1 ? Array(words.dropFirst()) : HostileSizes.pieces)
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
    let isSQL = words.isEmpty || words.contains { $0.hasPrefix("sql") || $0.hasPrefix("fetch") }
    let all =
        ParsingBenchmarks.all + (isFiltering ? FilteringBenchmarks.all : []) + (isSQL ? SQLBenchmarks.all : [])
    let chosen = all.filter { benchmark in
        words.isEmpty || words.contains { benchmark.name.contains($0) }
    }
    let measurements = Harness.measure(chosen, rounds: rounds)
    if isTabSeparated { Report.tabSeparated(measurements) } else { Report.table(measurements) }
}
