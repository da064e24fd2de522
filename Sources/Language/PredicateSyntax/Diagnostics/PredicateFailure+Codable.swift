// Failures as JSON.

extension PredicateFailure: Encodable {
    /// Encodes `located`, as an array.
    public func encode(to encoder: any Encoder) throws { try located.encode(to: encoder) }
}
