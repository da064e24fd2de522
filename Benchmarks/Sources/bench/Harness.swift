// Measuring: whatever is compared runs in one process, in turns, on the same thread. Absolute times drift with the machine;
// the ratio of two neighbours in one round does not. Benchmarks are added in a file of their own and listed in main.swift.
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One thing to measure, and what it is compared with.
struct Benchmark {
    let name: String
    /// Bytes or rows that one call goes through, where a figure per item says more.
    var items: Int?
    let ours: () -> Int
    let referenceName: String
    let reference: () -> Int
    /// What PERFORMANCE asks for, in nanoseconds a call.
    var goal: Double?

    /// - Parameter ours: one call; its result is summed up, so that nothing can be optimised away.
    init(
        _ name: String, items: Int? = nil, goal: Double? = nil, against referenceName: String,
        reference: @escaping () -> Int, ours: @escaping () -> Int
    ) {
        self.name = name
        self.items = items
        self.goal = goal
        self.ours = ours
        self.referenceName = referenceName
        self.reference = reference
    }
}

/// What a benchmark showed: medians of all rounds, and the middle half of the ratios.
struct Measurement {
    let benchmark: Benchmark
    let ours: Double
    let reference: Double
    let ratio: Double
    let low: Double
    let high: Double
}

enum Harness {
    /// Nanoseconds of processor time that this thread has used.
    static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Keeps results alive.
    nonisolated(unsafe) static var sink = 0

    /// Nanoseconds a call.
    @inline(never) static func time(_ calls: Int, _ body: () -> Int) -> Double {
        var sum = 0
        let start = threadTime()
        for _ in 0..<calls { sum &+= body() }
        let end = threadTime()
        sink &+= sum
        return (end - start) / Double(calls)
    }

    /// As many calls as take about two milliseconds.
    private static func calls(_ body: () -> Int) -> Int {
        var calls = 1
        while calls < 1 << 22 {
            let spent = time(calls, body) * Double(calls)
            if spent > 1e6 { return max(1, Int(Double(calls) * 2e6 / spent)) }
            calls *= 4
        }
        return calls
    }

    /// Runs a group of benchmarks in turns, so that a slow second of the machine falls on all of them.
    static func measure(_ benchmarks: [Benchmark], rounds: Int) -> [Measurement] {
        let counts = benchmarks.map { (calls($0.ours), calls($0.reference)) }
        var times = benchmarks.map { _ in [(ours: Double, reference: Double)]() }
        for _ in 0..<rounds {
            for (index, benchmark) in benchmarks.enumerated() {
                let reference = time(counts[index].1, benchmark.reference)
                let ours = time(counts[index].0, benchmark.ours)
                times[index].append((ours, reference))
            }
        }
        return zip(benchmarks, times).map { benchmark, rounds in
            let ratios = rounds.map { $0.ours / $0.reference }
            return Measurement(
                benchmark: benchmark, ours: quantile(rounds.map(\.ours), 0.5),
                reference: quantile(rounds.map(\.reference), 0.5), ratio: quantile(ratios, 0.5),
                low: quantile(ratios, 0.25), high: quantile(ratios, 0.75))
        }
    }

    static func quantile(_ values: [Double], _ part: Double) -> Double {
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }
}

enum Report {
    static func table(_ measurements: [Measurement]) {
        row("name", "ns", "ns/item", "goal", "reference", "ns", "ratio", "middle half")
        for one in measurements {
            row(
                one.benchmark.name, text(one.ours), one.benchmark.items.map { text(one.ours / Double($0)) } ?? "",
                one.benchmark.goal.map { (one.ours <= $0 ? "≤ " : "MISSED ") + text($0) } ?? "",
                one.benchmark.referenceName, text(one.reference), text(one.ratio), text(one.low) + "–" + text(one.high))
        }
    }

    static func tabSeparated(_ measurements: [Measurement]) {
        print("name\tours_ns\treference\treference_ns\tratio\tlow\thigh")
        for one in measurements {
            let numbers = [one.ratio, one.low, one.high].map(text).joined(separator: "\t")
            print(
                one.benchmark.name, text(one.ours), one.benchmark.referenceName, text(one.reference), numbers,
                separator: "\t")
        }
    }

    private static func row(_ cells: String...) {
        let widths = [34, 11, 9, 14, 26, 9, 8, 12]
        print(zip(cells, widths).map { pad($0, $1) }.joined(separator: " "))
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Three significant digits.
    static func text(_ value: Double) -> String {
        let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : value >= 0.1 ? 3 : 4
        let scale = [1.0, 10, 100, 1000, 10_000][digits]
        let rounded = (value * scale).rounded() / scale
        return digits == 0 ? String(Int(rounded)) : String(rounded)
    }
}
