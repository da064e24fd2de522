// Checks requests against the schema.

extension PredicateSchema {
    /// Checks the entity, the sort keys, the prefetched paths and the numbers of a request.
    ///
    /// - Parameters:
    ///   - asRecords: whether sort keys of groups are allowed; RecordShape checks those.
    ///   - withPredicate: whether the predicate is checked, too.
    /// - Throws: `unknown-entity`; `unknown-key` for each unknown key; the errors of the first other sort key that is no
    ///   valid expression; `argument-type` for a prefetched attribute and for a number that is too small; every error in
    ///   the predicate; `position`.
    func check(
        _ request: StoreRequest, asRecords: Bool = false, withPredicate: Bool = false
    ) throws(StoreFailure) {
        try StoreFailure.ofRequest { () throws(PredicateFailure) in
            try checkKeys(request, asRecords)
            if withPredicate { try request.predicate.typeCheck(request.entity, self) }
        }
        try request.checkPosition(in: self)
    }

    private func checkKeys(_ request: StoreRequest, _ asRecords: Bool) throws(PredicateFailure) {
        try require(entity: request.entity)
        let sort = asRecords && request.hasGroups ? [] : request.sort
        var findings = try findings(sort: sort, of: request.entity)
        findings += request.prefetch.compactMap { finding(path: $0, of: request.entity, isPrefetched: true) }
        if !findings.isEmpty { throw PredicateFailure(findings, source: "") }
        try PredicateFailure.require("limit", request.limit)
        try PredicateFailure.require("offset", request.offset)
        try PredicateFailure.require("batchSize", request.batchSize, atLeast: 1)
    }
}
