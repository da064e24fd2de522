// Attributes of test schemas that differ from the usual ones.

package import PredicateModel

extension PredicateSchema.Attribute {
    /// Returns a copy with changed properties.
    ///
    ///     Attribute("price", .decimal).with { $0.scale = 2 }
    package func with(_ change: (inout PredicateSchema.Attribute) -> Void) -> PredicateSchema.Attribute {
        var changed = self
        change(&changed)
        return changed
    }
}
