//
// The depth of tests with loops, and the seed of their random data. Such tests use only this file:
//
//     swift test                          quick: about a fortieth of CI, with the same data each time, without the
//                                         folders that Package.swift leaves to CI
//     PREDICATE_TESTS=debug swift test …  CI's debug build: nine times quick, and all tests
//     PREDICATE_TESTS=ci swift test …     CI's release build, with the same data each time
//     PREDICATE_TESTS=full swift test …   forty times CI, with a new seed, which is printed
//     PREDICATE_SEED=17 swift test …      another seed, at any depth
//
// Run the last two in a release build: `swift test -c release -Xswiftc -enable-testing`.

import Foundation

package enum TestDepth: String, CaseIterable, Sendable {
    case quick, debug, ci, full

    package static let current: TestDepth = {
        guard let name = ProcessInfo.processInfo.environment["PREDICATE_TESTS"], !name.isEmpty else { return .quick }
        guard let depth = TestDepth(rawValue: name) else {
            preconditionFailure("PREDICATE_TESTS is \(name), and must be quick, debug, ci or full")
        }
        return depth
    }()

    /// The number of turns for a loop: one in 180 of `turns` in a quick run, a twentieth in CI's debug build, a quarter in
    /// its release build, and `full` in a full run, which is ten times `turns` by default.
    package static func count(_ turns: Int, full: Int? = nil) -> Int {
        switch current {
        case .quick: max(1, turns / 180)
        case .debug: max(1, turns / 20)
        case .ci: max(1, turns / 4)
        case .full: full ?? turns * 10
        }
    }

    /// Whether this is a debug build, of CI or of a developer.
    package static var isQuick: Bool { isQuickest || current == .debug }

    /// Whether this is `swift test` without a depth, for which a person waits.
    package static var isQuickest: Bool { current == .quick }

    /// The count that a test of random cases must exceed: a ninth in a quick run.
    package static func least(_ count: Int) -> Int { isQuickest ? count / 9 : count }

    /// A size of test data: a sixteenth in a quick run.
    package static func size(_ size: Int) -> Int { isQuickest ? size / 16 : size }

    /// Prints figures, and what is skipped. A quick run prints failures only.
    package static func note(_ parts: Any...) { if !isQuick { print(parts.map { "\($0)" }.joined(separator: " ")) } }

    /// In CI's debug build every `step`th element, in a quick run a ninth of these, in CI's release build every `ciStep`th,
    /// otherwise all elements.
    package static func some<Element>(_ elements: [Element], every step: Int = 20, inCI ciStep: Int = 1) -> [Element] {
        stride(from: 0, to: elements.count, by: Self.step(step, inCI: ciStep)).map { elements[$0] }
    }

    /// The step of `some(_:every:inCI:)`.
    package static func step(_ step: Int, inCI ciStep: Int = 1) -> Int {
        switch current {
        case .quick: step * 9
        case .debug: step
        case .ci: ciStep
        case .full: 1
        }
    }

    /// A number that is added to the state of every random stream. It is 0, unless it is random in a full run or set by
    /// PREDICATE_SEED.
    package static let seed: UInt64 = {
        if let text = ProcessInfo.processInfo.environment["PREDICATE_SEED"], !text.isEmpty {
            guard let seed = UInt64(text) else { preconditionFailure("PREDICATE_SEED is \(text), which is no number") }
            return seed
        }
        guard current == .full else { return 0 }
        let seed = UInt64.random(in: 1..<1_000_000_000)
        print("PREDICATE_SEED=\(seed) repeats this run")
        return seed
    }()
}
