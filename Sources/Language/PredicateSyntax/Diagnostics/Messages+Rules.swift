// The messages of `lint --rules`; Messages.swift has all others, and their form.

extension DiagnosticID {
    package static let ruleAdded = DiagnosticID(
        "rule-added", .note, "rule {0} is new", "The earlier file has no rule of this name.")
    package static let ruleAlways = DiagnosticID(
        "rule-always", .warning, "rule {0} is true for every object",
        "Each object fulfils the rule, so it tests nothing. Probably OR was written for AND.")
    package static let ruleChanged = DiagnosticID(
        "rule-changed", .note, "rule {0} selects fewer objects than before: {1}",
        "The rules are compared with earlier ones, each with the one of the same name.")
    package static let ruleDuplicate = DiagnosticID(
        "rule-duplicate", .warning, "rule {0} selects the same objects as rule {1}",
        "The two predicates are written differently or alike, and are true for the same objects. One may be removed.")
    package static let ruleLooser = DiagnosticID(
        "rule-looser", .warning, "rule {0} selects objects that it did not select before: {1}",
        "The rules are compared with earlier ones, each with the one of the same name.")
    package static let ruleNever = DiagnosticID(
        "rule-never", .warning, "rule {0} is true for no object",
        "Its terms contradict each other, or a comparison in it always fails.")
    package static let ruleRemoved = DiagnosticID(
        "rule-removed", .note, "rule {0} was removed", "The earlier file has a rule of this name.")
    package static let ruleShadowed = DiagnosticID(
        "rule-shadowed", .warning, "rule {0} selects only objects that the earlier {1}",
        "Where the first rule that matches decides, this one has no effect. Move it up, or narrow the earlier one.")
    package static let ruleUndecided = DiagnosticID(
        "rule-undecided", .warning, "rule {0} was changed; whether it selects more objects was not found out: {1}",
        label: "{2}",
        "No proof and no example was found. Test the rule with objects near its limits.")
}
