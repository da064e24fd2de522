// The random generator of the tests: SplitMix64 by Steele, Lea and Flood. It gives the same numbers on every
// platform.

package struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A random stream that depends on `TestDepth.seed`.
    package init(_ stream: UInt64) { state = TestDepth.seed &+ stream }

    /// A random stream that is the same in every run.
    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
    package mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
    package mutating func chance(_ percent: UInt64) -> Bool { next() % 100 < percent }
}
