// Measures times. Both sides of a comparison run alternately, in one process and on one thread. Absolute times vary
// with the load of the machine, but the ratio of two neighbouring runs does not. To add benchmarks, add a file and list
// it in main.swift.
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A function to measure, and a reference to compare it with.
struct Benchmark {
    let name: String
    /// The number of bytes or rows in one call, if time per item is printed.
    var items: Int?
    let ours: () -> Int
    let referenceName: String
    let reference: () -> Int
    /// The goal in PERFORMANCE, in nanoseconds per call.
    var goal: Double?
    /// The clock: the processor time of this thread, or elapsed time if other threads or processes do the work.
    var clock = CLOCK_THREAD_CPUTIME_ID

    /// - Parameter ours: one call. Its result is used, so that the optimiser cannot remove the call.
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

/// The result of a benchmark: medians of all rounds, and the middle half of the ratios.
struct Measurement {
    let benchmark: Benchmark
    let ours: Double
    let reference: Double
    let ratio: Double
    let low: Double
    let high: Double
}

enum Harness {
    /// The current value of a clock in nanoseconds.
    static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Linux: the process's memory in KB, `VmRSS` now and `VmHWM` at its peak; 0 elsewhere.
    static func memory(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    /// The memory in KB after returning freed memory to the system.
    static func memoryInUse() -> Int {
        #if canImport(Glibc)
            // The toolchain's module of glibc does not have <malloc.h>.
            if let symbol = dlsym(nil, "malloc_trim") {
                typealias Trim = @convention(c) (Int) -> CInt
                _ = unsafeBitCast(symbol, to: Trim.self)(0)
            }
        #endif
        return memory("VmRSS")
    }

    /// Uses the results, so that the optimiser keeps the calls.
    nonisolated(unsafe) static var sink = 0

    /// Nanoseconds per call.
    @inline(never) static func time(
        _ calls: Int, clock: clockid_t = CLOCK_THREAD_CPUTIME_ID, _ body: () -> Int
    ) -> Double {
        var sum = 0
        let start = now(clock)
        for _ in 0..<calls { sum &+= body() }
        let end = now(clock)
        sink &+= sum
        return (end - start) / Double(calls)
    }

    /// The number of calls that take about two milliseconds.
    private static func calls(_ body: () -> Int) -> Int {
        var calls = 1
        while calls < 1 << 22 {
            let spent = time(calls, body) * Double(calls)
            if spent > 1e6 { return max(1, Int(Double(calls) * 2e6 / spent)) }
            calls *= 4
        }
        return calls
    }

    /// Runs the benchmarks of a group alternately, so that a slow moment of the machine affects all of them.
    static func measure(_ benchmarks: [Benchmark], rounds: Int) -> [Measurement] {
        let counts = benchmarks.map { (calls($0.ours), calls($0.reference)) }
        var times = benchmarks.map { _ in [(ours: Double, reference: Double)]() }
        for _ in 0..<rounds {
            for (index, benchmark) in benchmarks.enumerated() {
                let reference = time(counts[index].1, clock: benchmark.clock, benchmark.reference)
                let ours = time(counts[index].0, clock: benchmark.clock, benchmark.ours)
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

    /// The number with three significant digits.
    static func text(_ value: Double) -> String {
        let digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : value >= 0.1 ? 3 : 4
        let scale = [1.0, 10, 100, 1000, 10_000][digits]
        let rounded = (value * scale).rounded() / scale
        return digits == 0 ? String(Int(rounded)) : String(rounded)
    }
}
