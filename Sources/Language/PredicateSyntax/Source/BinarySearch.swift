// Binary search, for every sorted table and every range of integers.

extension Range where Bound: FixedWidthInteger {
    /// The first value from which on a test holds; `upperBound` if it never holds.
    ///
    ///     (0..<starts.count).first(fromWhich: { starts[$0] > offset })
    @inlinable
    package func first<Fault: Error>(fromWhich holds: (Bound) throws(Fault) -> Bool) throws(Fault) -> Bound {
        var (low, high) = (lowerBound, upperBound)
        while low < high {
            // The mean rounded down, also for negative numbers, without overflow.
            let odd = low & high & 1
            let middle = (low >> 1) + (high >> 1) + odd
            if try holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
