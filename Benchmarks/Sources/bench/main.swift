// bench [--tsv] [--rounds N] [WORD…]: measures the benchmarks whose names contain a word, or all.
// bench kernels; bench run NAME COUNT: what instructions.py counts the instructions of, and one of them COUNT times.
// bench people N: the records of the benchmarks, one a line, for other programs.
// bench peers N ROUNDS: the seventeen predicates of Peers/compare.py over N of these records.
// bench formats: those predicates.
// bench hostile [PIECE…]: whether reading stays linear on a megabyte of each piece.

var words = Array(CommandLine.arguments.dropFirst())
if words.first == "hostile" {
    HostileSizes.run(words.count > 1 ? Array(words.dropFirst()) : HostileSizes.pieces)
} else if words.first == "people", words.count == 2, let count = Int(words[1]) {
    for person in People(count) { print(person.line, terminator: "") }
} else if words == ["formats"] {
    for query in PeopleBenchmarks.queries { print(query.name, query.format, separator: "\t") }
} else if words.first == "peers", words.count == 3, let count = Int(words[1]), let rounds = Int(words[2]) {
    PeopleBenchmarks.rows = count
    PeopleBenchmarks.printLeast(rounds: rounds)
} else if words == ["kernels"] {
    for kernel in Kernels.all { print(kernel.name, kernel.isOverRows ? "rows" : "text", separator: "\t") }
} else if words.first == "run", words.count == 3, let calls = Int(words[2]) {
    Kernels.run(words[1], calls: calls)
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
    let isAboutPeople = words.isEmpty || words.contains { $0.hasPrefix("people") }
    let all =
        ParsingBenchmarks.all + (isFiltering ? FilteringBenchmarks.all : [])
        + (isAboutPeople ? PeopleBenchmarks.all : [])
    let chosen = all.filter { benchmark in
        words.isEmpty || words.contains { benchmark.name.contains($0) }
    }
    let measurements = Harness.measure(chosen, rounds: rounds)
    if isTabSeparated { Report.tabSeparated(measurements) } else { Report.table(measurements) }
}
