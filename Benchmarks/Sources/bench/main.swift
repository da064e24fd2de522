// bench [--tsv] [--rounds N] [WORD…]: measures the benchmarks whose names contain a word, or all.
// bench concurrent [ROWS]: what a second thread brings.
// bench passes ID ROWS PASSES: counts by one of the seventeen predicates, for allocations.sh.
// bench hostile [PIECE…]: whether reading stays linear on a megabyte of each piece.

var words = Array(CommandLine.arguments.dropFirst())
if words.first == "hostile" {
    HostileSizes.run(words.count > 1 ? Array(words.dropFirst()) : HostileSizes.pieces)
} else if words.first == "concurrent" {
    try await ConcurrentBenchmarks.run(rows: words.count > 1 ? Int(words[1]) ?? 100_000 : 100_000, rounds: 31)
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
    let isDynamic = words.isEmpty || words.contains { $0.hasPrefix("dynamic") }
    let isPeople = words.isEmpty || words.contains { $0.hasPrefix("P") || $0.hasPrefix("objects") }
    let all =
        ParsingBenchmarks.all + RowBenchmarks.all + (isFiltering ? FilteringBenchmarks.all : [])
        + (isDynamic ? DynamicBenchmarks.all : []) + (isPeople ? PeopleBenchmarks.all : [])
    let chosen = all.filter { benchmark in
        words.isEmpty || words.contains { benchmark.name.contains($0) }
    }
    let measurements = Harness.measure(chosen, rounds: rounds)
    if isTabSeparated { Report.tabSeparated(measurements) } else { Report.table(measurements) }
}
