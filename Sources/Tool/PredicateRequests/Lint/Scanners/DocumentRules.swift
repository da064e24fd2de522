// Finds predicates in property lists, JSON and YAML by their keys, and selects the profile of the program that
// reads them.

struct DocumentRules {
    /// Keys that hold predicates of an unknown program: those given by the user, and the filter of a binding in a .xib
    /// file.
    let keys: Set<String>

    init(keys: [String] = []) { self.keys = Set(keys).union(["NSPredicateFormat"]) }

    /// A document that contains none of these words has no predicates.
    var words: [[UInt8]] {
        ([
            "NSExtensionActivationRule", "installable_condition", "conditional_items", "com.apple.activation.",
            "StopProcessingIf",
        ]
            + keys.sorted()).map { Array($0.utf8) }
    }

    /// All predicates of a document, in its order. Recursive; the document's parser limits the depth.
    func predicates(in document: DocumentNode, spelling: FoundPredicate.Spelling) -> [FoundPredicate] {
        var found: [FoundPredicate] = []
        collect(document, Context(), spelling, &found)
        return found
    }

    private struct Context {
        var isConditionalItem = false
        var isActivation = false
    }

    private func collect(
        _ node: DocumentNode, _ context: Context, _ spelling: FoundPredicate.Spelling, _ found: inout [FoundPredicate]
    ) {
        switch node {
        case .list(let values): for value in values { collect(value, context, spelling, &found) }
        case .mapping(let members):
            let isActivation = context.isActivation || node["Type"]?.string?.hasPrefix("com.apple.activation.") == true
            let isStop = node["Processor"]?.string == "StopProcessingIf"
            for (key, value) in members {
                if case .text(let text) = value {
                    let profile = reader(of: key, context, isActivation: isActivation)
                    guard profile != nil || keys.contains(key) else { continue }
                    found.append(
                        FoundPredicate(text: text, owner: key, site: CallSite(profile: profile), spelling: spelling))
                } else if isStop, key == "Arguments", case .text(let text)? = value["predicate"] {
                    found.append(
                        FoundPredicate(
                            text: text, owner: "StopProcessingIf", site: CallSite(profile: "autopkg"),
                            spelling: spelling))
                } else {
                    let inner = Context(isConditionalItem: key == "conditional_items", isActivation: isActivation)
                    collect(value, inner, spelling, &found)
                }
            }
        case .text, .other: break
        }
    }

    /// The profile of the program that reads this key; nil if the key does not hold a predicate.
    private func reader(of key: String, _ context: Context, isActivation: Bool) -> String? {
        switch key {
        case "NSExtensionActivationRule": "nsextension"
        case "installable_condition": "munki"
        case "condition" where context.isConditionalItem: "munki"
        case "Predicate" where isActivation: "ddm"
        default: nil
        }
    }
}
