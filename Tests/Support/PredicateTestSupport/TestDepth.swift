//
// The depth of tests with loops, and the seed of their random data. Such tests use only this file:
//
//     swift test                          quick: about a fifth of CI, with the same data each time
//     PREDICATE_TESTS=ci swift test …     the depth of CI, with the same data each time
//     PREDICATE_TESTS=full swift test …   forty times CI, with a new seed, which is printed
//     PREDICATE_SEED=17 swift test …      another seed, at any depth
//
// Run the last two in a release build: `swift test -c release -Xswiftc -enable-testing`.

import Foundation

package enum TestDepth: String, CaseIterable, Sendable {
    case quick, ci, full

    package static let current: TestDepth = {
        guard let name = ProcessInfo.processInfo.environment["PREDICATE_TESTS"], !name.isEmpty else { return .quick }
        guard let depth = TestDepth(rawValue: name) else {
            preconditionFailure("PREDICATE_TESTS is \(name), and must be quick, ci or full")
        }
        return depth
    }()

    /// The number of turns for a loop: a twentieth of `turns` in a quick run, a quarter in CI, and `full` in a full run,
    /// which is ten times `turns` by default.
    package static func count(_ turns: Int, full: Int? = nil) -> Int {
        switch current {
        case .quick: max(1, turns / 20)
        case .ci: max(1, turns / 4)
        case .full: full ?? turns * 10
        }
    }

    package static var isQuick: Bool { current == .quick }

    /// Prints figures, and what is skipped. A quick run prints failures only.
    package static func note(_ parts: Any...) {
        if !isQuick { print(parts.map { "\($0)" }.joined(separator: " ")) }
    }

    /// In a quick run every `step`th element, in CI every `ciStep`th, otherwise all elements.
    package static func some<Element>(_ elements: [Element], every step: Int = 20, inCI ciStep: Int = 1) -> [Element] {
        let step =
            switch current {
            case .quick: step
            case .ci: ciStep
            case .full: 1
            }
        return stride(from: 0, to: elements.count, by: step).map { elements[$0] }
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
