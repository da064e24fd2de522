// Finds predicates in property lists, JSON and YAML by their keys, and selects the profile of the program that
// reads them.

import PredicateRecords
import PredicateSyntax

struct DocumentRules {
    /// Additional keys that hold predicates, given by the user.
    let keys: Set<String>

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
                    if let profile = reader(of: key, context, isActivation: isActivation) {
                        found.append(
                            FoundPredicate(
                                text: text, owner: key, site: CallSite(profile: profile), spelling: spelling))
                    } else if keys.contains(key) {
                        found.append(FoundPredicate(text: text, owner: key, spelling: spelling))
                    }
                } else if isStop, key == "Arguments", case .text(let text)? = value["predicate"] {
                    let (plain, holes) = text.withoutRecipeVariables()
                    found.append(
                        FoundPredicate(
                            text: plain, holes: holes, expectsHoles: true, owner: "StopProcessingIf",
                            site: CallSite(profile: "autopkg"), spelling: spelling))
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

extension SourcedText {
    /// AutoPkg replaces `%NAME%` in recipes before the predicate is read. Here it is replaced by `NAME`, which parses
    /// as a key; its value is unknown.
    fileprivate func withoutRecipeVariables() -> (SourcedText, [FoundPredicate.Hole]) {
        var result = SourcedText(at: source(SourceSpan(0, 0)).start)
        var holes: [FoundPredicate.Hole] = []
        var at = 0
        while at < bytes.count {
            var end = at + 1
            if bytes[at] == UInt8(ascii: "%") {
                while end < bytes.count, SourceCursor.isWordByte(bytes[end]) { end += 1 }
                if end > at + 1, end < bytes.count, bytes[end] == UInt8(ascii: "%") {
                    let start = result.bytes.count
                    let place = source(SourceSpan(at, end + 1))
                    result.append(bytes[(at + 1)..<end], from: place.range)
                    holes.append(.init(span: SourceSpan(start, result.bytes.count), source: place))
                    at = end + 1
                    continue
                }
            }
            result.append(CollectionOfOne(bytes[at]), from: source(SourceSpan(at, at + 1)).range)
            at += 1
        }
        return (result, holes)
    }
}
