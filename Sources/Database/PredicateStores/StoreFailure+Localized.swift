// The description of a store's failure for alerts. PredicateEvaluation/Bridges/LocalizedErrors.swift makes the sentences.
#if Foundation
    public import Foundation

    extension StoreFailure: LocalizedError {}
#endif
