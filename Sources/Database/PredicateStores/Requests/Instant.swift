// Fixes `now()` of a request, so that SQL and the test in memory use the same instant.

extension StoreRequest {
    /// Returns the request with its typed texts read, and with every `now()` replaced by the same instant of its clock.
    func atOneInstant(in schema: PredicateSchema) -> StoreRequest {
        var request = self
        request.predicate = predicate.reading(entity, schema)
        return request.atOneInstant
    }

    private var atOneInstant: StoreRequest {
        guard predicate.asksClock || having.asksClock, let instant = clock.instant else { return self }
        var request = self
        request.predicate = predicate.fixed(at: .at(instant))
        request.having = having.fixed(at: .at(instant))
        return request
    }

    /// Whether the same request may select other objects later, because it reads a clock that advances.
    var isTimed: Bool { !clock.isFixed && (predicate.asksClock || having.asksClock) }
}
