// bench [--tsv] [--rounds N] [WORD…]: runs the benchmarks whose names contain a word, or all.
// bench concurrent [ROWS]: the gain from a second thread, for structs.
// bench cursor [ROWS]: the memory of a cursor over all rows of a file.
// bench hostile [PIECE…]: checks that parsing a megabyte of each piece takes linear time; exits 1 if not.
// For the scripts in Benchmarks: bench people N; formats; peers N ROUNDS; kernels; run NAME….

import Foundation

let words = Array(CommandLine.arguments.dropFirst())
let numbers = words.dropFirst().map { Int($0) }
switch (words.first, numbers.count) {
case ("hostile", _):
    if !HostileSizes.run(words.count > 1 ? Array(words.dropFirst()) : HostileSizes.pieces) { exit(1) }
case ("cursor", _): try StoreBenchmarks.cursor(rows: numbers.first.flatMap(\.self) ?? 1_000_000)
case ("concurrent", _): try await ConcurrentBenchmarks.run(rows: numbers.first.flatMap(\.self) ?? 100_000, rounds: 31)
case ("people", 1): for person in People.make(numbers[0] ?? 0) { print(Peers.line(person), terminator: "") }
case ("formats", 0): for one in PeopleBenchmarks.cases { print(one.id, one.text, separator: "\t") }
case ("peers", 2): Peers.measure(numbers[0] ?? 0, rounds: numbers[1] ?? 1)
case ("kernels", 0):
    for kernel in Kernels.all { print(kernel.name, kernel.calls, separator: "\t") }
case ("run", _): Kernels.run(Array(words.dropFirst()))
default: measure(words)
}

func measure(_ words: [String]) {
    var words = words
    let isTabSeparated = words.contains("--tsv")
    words.removeAll { $0 == "--tsv" }
    var rounds = 15
    if let option = words.firstIndex(of: "--rounds"), option + 1 < words.count {
        rounds = max(1, Int(words[option + 1]) ?? rounds)
        words.removeSubrange(option...(option + 1))
    }
    // Creates benchmarks only if they may run, because most need many records. Columns need a million and run
    // only by name.
    func chosen(_ prefixes: String..., unnamed: Bool = true, _ make: () -> [Benchmark]) -> [Benchmark] {
        let isNamed = words.contains { word in prefixes.contains { word.hasPrefix($0) || $0.hasPrefix(word) } }
        return isNamed || words.isEmpty && unnamed ? make() : []
    }
    var all = chosen("lex", "parse", "print") { ParsingBenchmarks.all }
    all += chosen("one", "instance", "bind", "class") { RowBenchmarks.all }
    all += chosen("nspredicate") { FoundationBenchmarks.all }
    all += chosen("count", "filter") { FilteringBenchmarks.all }
    all += chosen("nested", unnamed: false) { NestedBenchmarks.all }
    all += chosen("sort") { SortingBenchmarks.all }
    all += chosen("sql") { SQLBenchmarks.all }
    all += chosen("stores", unnamed: false) { StoreBenchmarks.all }
    all += chosen("observed", unnamed: false) { ObservedBenchmarks.all }
    all += chosen("set", unnamed: false) { SetBenchmarks.all }
    all += chosen("dynamic") { DynamicBenchmarks.all }
    all += chosen("P", "objects") { PeopleBenchmarks.all }
    all += chosen("columns", unnamed: false) { ColumnBenchmarks.all }
    let benchmarks = all.filter { benchmark in words.isEmpty || words.contains { benchmark.name.contains($0) } }
    let measurements = Harness.measure(benchmarks, rounds: rounds)
    if isTabSeparated { Report.tabSeparated(measurements) } else { Report.table(measurements) }
}
