// Several threads select the same records as one, in the same order. They wait for input only if necessary.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct FilterThreadsTests {
    // MARK: Work in order

    private struct Failed: Error {}

    /// Runs `count` pieces of work that take different times. Returns the results in order.
    private static func results(
        _ count: Int, threads: Int, finish: @escaping (Int) throws -> Bool = { _ in true }
    ) throws -> (finished: [Int], taken: Int) {
        var taken = 0
        var finished: [Int] = []
        try OrderedThreads.run(
            threads: threads,
            next: { _ -> NextWork<Int> in
                guard taken < count else { return .end }
                taken += 1
                return .work(taken - 1)
            },
            worker: { { number in (0..<(number * 7919 % 97) * 10).reduce(number) { $0 ^ $1 ^ $1 } } },
            finish: { (number: Int) in
                finished.append(number)
                return try finish(number)
            })
        return (finished, taken)
    }

    @Test(.cases) func resultsComeInOrder() {
        forEachCase([1, 2, 3, 8] as [Int]) { (threads) throws in
            for count in [0, 1, 2, 500] {
                #expect(try Self.results(count, threads: threads).finished == Array(0..<count))
            }
        }
    }

    @Test(.cases) func finishCanStopEarly() {
        forEachCase([1, 2, 8] as [Int]) { threads in
            let (finished, taken) = try Self.results(100_000, threads: threads) { $0 < 10 }
            #expect(finished == Array(0...10))
            #expect(taken <= 11 + 2 * threads, "work is not taken far ahead")
            #expect(throws: Failed.self) {
                try Self.results(100, threads: threads) { if $0 == 20 { throw Failed() } else { return true } }
            }
        }
    }

    @Test(.cases) func errorsOfTheSourceAreThrown() {
        forEachCase([1, 2, 8] as [Int]) { (threads) throws in
            #expect(throws: Failed.self) {
                try OrderedThreads.run(
                    threads: threads, next: { _ -> NextWork<Int> in throw Failed() }, worker: { { $0 } },
                    finish: { (_: Int) in true })
            }
        }
    }

    /// Waits for input only when all current work is finished.
    @Test(.cases) func waitsOnlyWhenIdle() {
        forEachCase([1, 2, 8] as [Int]) { threads in
            var taken = 0
            var finished = 0
            try OrderedThreads.run(
                threads: threads,
                next: { waits -> NextWork<Int> in
                    if waits { #expect(taken == finished) }
                    guard waits || taken % 3 != 0 else { return .wouldWait }
                    guard taken < 300 else { return .end }
                    taken += 1
                    return .work(taken)
                },
                worker: { { $0 } },
                finish: { (_: Int) in
                    finished += 1
                    return true
                })
            #expect(finished == 300)
        }
    }

    // MARK: Filtering

    /// 1.5 MB, several batches. Some records are invalid, have an invalid field that the predicate does not
    /// read, or cannot be evaluated.
    static let lines: String = {
        var lines: [String] = []
        for number in 0..<9000 {
            let note = String(repeating: number % 5 == 0 ? "é" : "x", count: 80 + number % 40)
            switch number % 1500 {
            case 700: lines.append("{\"id\": \(number), \"age\": 50, \"note\": \"\\q\"}")
            case 900: lines.append("{\"id\": \(number), \"age\": \"old\", \"note\": \"\(note)\"}")
            case 1100: lines.append("")
            default: lines.append("{\"id\": \(number), \"note\": \"\(note)\", \"age\": \(number % 100)}")
            }
        }
        return lines.joined(separator: "\n")
    }()

    @Test(.cases) func resultsDoNotDependOnThreads() {
        let cases: [[String]] = [
            [], ["--on-error", "skip"], ["--on-error", "skip", "--count"], ["--limit", "7", "--offset", "100"],
            ["--on-error", "skip", "--offset", "1500", "--limit", "2000"], ["--on-error", "skip", "--sort", "-age,id"],
            ["--on-error", "skip", "--sort", "age,note", "--limit", "5", "--keys", "id,age"],
            ["--on-error", "skip", "--to", "csv"], ["--on-error", "skip", "--to", "json"], ["--limit", "0"],
        ]
        forEachCase(TestDepth.some(cases, every: 1)) { options in
            let path = try temporaryFile(Self.lines, "people.jsonl")
            defer { try? FileManager.default.removeItem(atPath: path) }
            let arguments = ["filter", "age > 40", path] + options
            let one = Run(arguments + ["--threads", "1"])
            let four = Run(arguments + ["--threads", "4"])
            #expect(one.out == four.out)
            #expect(one.err == four.err)
            #expect(one.code == four.code)
            #expect(!one.out.isEmpty || options == ["--limit", "0"])
        }
    }

    /// Few sorted records are read one by one, many from the whole input, which is read again.
    @Test func aLimitGivesTheStartOfTheOrder() throws {
        let path = try temporaryFile(Self.lines, "people.jsonl")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let arguments = ["filter", "age > 40", path, "--on-error", "skip", "--sort", "-age,id"]
        let all = Run(arguments).out.split(separator: "\n")
        #expect(all.count > 1000)
        #expect(Run(arguments + ["--limit", "5"]).out.split(separator: "\n") == Array(all.prefix(5)))
    }

    /// The first invalid record ends the run; records selected before it are written.
    @Test func firstInvalidRecordIsReported() throws {
        let path = try temporaryFile(Self.lines, "people.jsonl")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let run = Run(["filter", "id >= 0 AND age < 1000", path, "--threads", "4"])
        #expect(run.code == 5)
        #expect(run.err.hasPrefix("\(path):701:"))
        #expect(run.out.split(separator: "\n").count == 700)
    }

    // MARK: Pipes

    /// Runs `filter` with a pipe as input. `written` receives all output so far and may write more input.
    private static func filter(
        _ options: [String], first: String, written: @escaping (String, FileHandle) -> Void
    ) -> (out: String, code: Int32) {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(first.utf8))
        var out = ""
        let output = CommandOutput(
            write: {
                out += String(decoding: $0, as: UTF8.self)
                written(out, pipe.fileHandleForWriting)
            },
            writeError: { _ in Issue.record("nothing is to be said") })
        let input = CommandInput(isTerminal: false, descriptor: pipe.fileHandleForReading.fileDescriptor) { [] }
        let code = PredicateCommand.run(["filter", "n > 1"] + options, input: input, output: output)
        return (out, code)
    }

    @Test(arguments: ["1", "2"]) func matchesAreWrittenBeforeMoreIsRead(threads: String) {
        let (out, code) = Self.filter(["--threads", threads], first: "{\"n\": 1}\n{\"n\": 2}\n{\"n\"") { out, pipe in
            if out == "{\"n\": 2}\n" {
                pipe.write(Data(": 3}\n".utf8))
            } else if out == "{\"n\": 2}\n{\"n\": 3}\n" {
                try? pipe.close()
            }
        }
        #expect(out == "{\"n\": 2}\n{\"n\": 3}\n")
        #expect(code == 0)
    }

    @Test(arguments: ["1", "2"]) func readingStopsAtTheLimit(threads: String) {
        let (out, code) = Self.filter(
            ["--threads", threads, "--limit", "1"], first: "{\"n\": 2}\n{\"n\": 3}\n", written: { _, _ in })
        #expect(out == "{\"n\": 2}\n")
        #expect(code == 0)
    }
}
