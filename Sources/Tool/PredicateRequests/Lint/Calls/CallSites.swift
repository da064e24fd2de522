// Finds out which program reads a predicate of a Swift or Objective-C file: from the call that takes it, the property
// to which it is assigned, or a later use of the constant that holds it. Only unambiguous evidence is used; otherwise
// the reader stays unknown.

/// What the location of a predicate in the source reveals about its reader.
struct CallSite: Equatable {
    /// The profile of the program that reads the predicate.
    var profile: String?
    var entity: String?
    /// Whether the predicate filters objects in memory, which may have keys that the data model lacks.
    var isInMemory = false

    static let coreData = CallSite(profile: "coredata-sqlite")
    static let inMemory = CallSite(isInMemory: true)
}

/// The call sites of a file. Each index is built when it is first needed.
final class CallSites {
    private let bytes: [UInt8]
    private let tokens: [SourceToken]
    private let isSwift: Bool
    /// The maximum number of mentions of a constant that are tried, and of steps from a predicate to its reader.
    private static let mentionLimit = 8
    private static let stepLimit = 8

    init(_ bytes: [UInt8], _ tokens: [SourceToken], isSwift: Bool) {
        self.bytes = bytes
        self.tokens = tokens
        self.isSwift = isSwift
    }

    /// The reader of the expression that begins at a token; nil if it is unknown.
    func site(of start: Int) -> CallSite? { site(of: start, steps: 0) }

    /// The index of the innermost bracket around a token; -1 if there is none.
    func bracket(around index: Int) -> Int { enclosing[index] }

    private func site(of start: Int, steps: Int) -> CallSite? {
        guard start > 0, steps < Self.stepLimit else { return nil }
        let before = tokens[start - 1]
        if before.isSign("=") { return assigned(at: start - 1, steps) }
        let open = enclosing[start]
        guard open >= 0 else { return nil }
        if tokens[open].isSign("[") {
            if isSwift { return site(of: open, steps: steps + 1) }
            return open > 0 && tokens[open - 1].isSign("@")
                ? site(of: open - 1, steps: steps + 1) : message(open, start, steps)
        }
        guard tokens[open].isSign("(") else { return nil }
        if before.isSign(":"), start > 1 { return call(open, label: bytes.text(tokens[start - 2]), steps) }
        return before.isSign(",") || start - 1 == open ? call(open, label: nil, steps) : nil
    }

    // MARK: Calls

    /// The reader of an argument of a call.
    private func call(_ open: Int, label: String?, _ steps: Int) -> CallSite? {
        var callee = open - 1
        if callee > 0, tokens[callee].isSign(">") { callee = beforeGenerics(callee) }
        guard callee >= 0, tokens[callee].kind == .word else { return site(of: open, steps: steps + 1) }
        if bytes.word(tokens[callee], is: "init"), callee > 1, tokens[callee - 1].isSign(".") { callee -= 2 }
        let before = callee > 0 ? tokens[callee - 1] : nil
        switch (bytes.text(tokens[callee]), label) {
        case ("NSCompoundPredicate", _): return site(of: callee, steps: steps + 1)
        case ("CKQuery", "predicate"), ("CKQuerySubscription", "predicate"): return CallSite(profile: "cloudkit")
        case ("getEntries", "matching"): return CallSite(profile: "oslog")
        case ("element", "matching"), ("matching", nil), ("containing", nil):
            return before?.isSign(".") == true && usesXCTest ? CallSite(profile: "xcuielementquery") : nil
        case ("FetchRequest", "predicate"), ("SectionedFetchRequest", "predicate"):
            return before?.isSign("@") == true ? .coreData : nil
        case ("visibleFeatures", "predicate"), ("features", "matching"): return CallSite(profile: "maplibre")
        case ("filtered", "using"), ("filter", "using"), ("XCTNSPredicateExpectation", "predicate"),
            ("expectation", "for"):
            return .inMemory
        default: return nil
        }
    }

    /// The reader of an argument of an Objective-C message.
    private func message(_ open: Int, _ start: Int, _ steps: Int) -> CallSite? {
        guard start > 1, tokens[start - 1].isSign(":") else { return nil }
        let part = bytes.text(tokens[start - 2])
        switch part {
        case "setPredicate": return receiver(open + 1, before: start)
        case "predicate":
            let words = tokens[open..<min(start, open + 64)].filter { $0.kind == .word }.map(bytes.text)
            if words.contains(where: { $0.hasPrefix("CKQuery") }) { return CallSite(profile: "cloudkit") }
            return words.contains("entriesEnumeratorWithOptions") ? CallSite(profile: "oslog") : nil
        case "matchingPredicate", "elementMatchingPredicate", "containingPredicate":
            return CallSite(profile: "xcuielementquery")
        case "andPredicateWithSubpredicates", "orPredicateWithSubpredicates", "notPredicateWithSubpredicate":
            return site(of: open, steps: steps + 1)
        default:
            let isFilter = part.hasPrefix("filter") && part.hasSuffix("UsingPredicate")
            return isFilter ? .inMemory : nil
        }
    }

    private var usesXCTest: Bool { bytes.containsAny(of: ["XCTest", "XCUI"].map { Array($0.utf8) }) }

    /// The index of the token before `<…>`, given the index of its `>`.
    func beforeGenerics(_ end: Int) -> Int {
        var index = end
        while index > max(0, end - 16), !tokens[index].isSign("<") { index -= 1 }
        return index - 1
    }

    // MARK: Assignments

    private func assigned(at equals: Int, _ steps: Int) -> CallSite? {
        var index = skipMarks(equals - 1)
        guard index >= 0, tokens[index].kind == .word else { return nil }
        // `let predicate: NSPredicate? = …`
        if index > 1, tokens[index - 1].isSign(":") { index -= 2 }
        let name = bytes.text(tokens[index])
        if index > 1, tokens[index - 1].isSign(".") {
            let site = receiver(skipMarks(index - 2), before: equals)
            // A style layer reads all its properties: `layer.lineWidth = NSExpression(format: …)`.
            if name == "predicate" || name == "fetchPredicate" || site?.profile == "maplibre" { return site }
        }
        return steps < 2 ? use(of: name, after: equals, steps) : nil
    }

    private func skipMarks(_ index: Int) -> Int {
        var index = index
        while index > 0, tokens[index].isSign("?") || tokens[index].isSign("!") || tokens[index].isSign("*") {
            index -= 1
        }
        return index
    }

    /// The object whose predicate property is assigned.
    private func receiver(_ index: Int, before limit: Int) -> CallSite? {
        guard index >= 0, tokens[index].kind == .word else { return nil }
        let name = bytes.text(tokens[index])
        let known = declared[name] ?? []
        if let site = known.last(where: { $0.index < limit })?.site ?? known.first?.site { return site }
        return name.lowercased().hasSuffix("fetchrequest") ? .coreData : nil
    }

    /// The first use of a constant whose reader is known.
    private func use(of name: String, after start: Int, _ steps: Int) -> CallSite? {
        guard let all = mentions[name] else { return nil }
        let later = all.drop { $0 <= start }
        for index in (later.isEmpty ? all[...] : later).prefix(Self.mentionLimit) {
            if index + 2 < tokens.count, tokens[index + 1].isSign("."), bytes.word(tokens[index + 2], is: "evaluate") {
                return .inMemory
            }
            let isMember = index > 1 && tokens[index - 1].isSign(".")
            if let site = site(of: isMember ? index - 2 : index, steps: steps + 1) { return site }
        }
        return nil
    }

    // MARK: Indexes

    private lazy var enclosing: [Int] = {
        var open: [Int] = []
        return tokens.indices.map { index in
            if tokens[index].isClosing, tokens[index].partner >= 0 { open.removeLast() }
            defer { if tokens[index].isOpening, tokens[index].partner >= 0 { open.append(index) } }
            return open.last ?? -1
        }
    }()

    /// The positions where a word may be used as a value.
    private lazy var mentions: [String: [Int]] = {
        var mentions: [String: [Int]] = [:]
        for index in tokens.indices.dropFirst() where tokens[index].kind == .word {
            let isOperand = ["(", "[", ",", ":", "=", "."].contains(where: tokens[index - 1].isSign)
            let isEvaluated = index + 2 < tokens.count && tokens[index + 1].isSign(".")
            if isOperand || isEvaluated { mentions[bytes.text(tokens[index]), default: []].append(index) }
        }
        return mentions
    }()

    /// The constants, variables and parameters whose type reads predicates.
    private lazy var declared: [String: [(index: Int, site: CallSite)]] = {
        var declared: [String: [(index: Int, site: CallSite)]] = [:]
        for index in tokens.indices where tokens[index].kind == .word {
            guard let site = site(ofType: index),
                let name = isSwift ? swiftName(before: index) : objectiveCName(after: index)
            else { continue }
            declared[name, default: []].append((index, site))
        }
        return declared
    }()

    private func site(ofType index: Int) -> CallSite? {
        switch bytes.text(tokens[index]) {
        case "NSFetchRequest": return CallSite(profile: "coredata-sqlite", entity: entity(near: index))
        case "fetchRequest" where isSwift && index > 1 && tokens[index - 1].isSign("."):
            let type = bytes.text(tokens[index - 2])
            return CallSite(profile: "coredata-sqlite", entity: type.first?.isUppercase == true ? type : nil)
        case "NSMetadataQuery": return CallSite(profile: "spotlight")
        case "PHFetchOptions": return CallSite(profile: "photos")
        case let name where name.hasSuffix("StyleLayer") && (name.hasPrefix("MLN") || name.hasPrefix("MGL")):
            return CallSite(profile: "maplibre")
        default: return nil
        }
    }

    /// The entity of a fetch request: `NSFetchRequest<Person>`, `entityName: "Person"`, `[Person fetchRequest]`.
    private func entity(near index: Int) -> String? {
        let rest = tokens[(index + 1)...].prefix(16)
        if rest.first?.isSign("<") == true, let type = rest.dropFirst().first, type.kind == .word {
            let name = bytes.text(type)
            return name.hasPrefix("NS") ? nil : name
        }
        for (offset, token) in zip(rest.indices, rest) {
            if token.isSign(";") || token.isSign("{") { return nil }
            if case .literal(let literal) = token.kind {
                let label = tokens[tokens[offset - 1].isSign("@") ? offset - 3 : offset - 2]
                let isName = ["entityName", "fetchRequestWithEntityName", "initWithEntityName"].contains {
                    bytes.word(label, is: $0)
                }
                return isName ? String(decoding: bytes[literal.content], as: UTF8.self) : nil
            }
            if !isSwift, token.isSign("["), offset + 2 < tokens.count,
                bytes.word(tokens[offset + 2], is: "fetchRequest")
            {
                return bytes.text(tokens[offset + 1])
            }
        }
        return nil
    }

    /// `let request = NSFetchRequest…`, `request: NSFetchRequest…`
    private func swiftName(before index: Int) -> String? {
        var at = index - 1
        if at > 0, tokens[at].isSign(":"), tokens[at - 1].kind == .word { return bytes.text(tokens[at - 1]) }
        while at > max(0, index - 12), !tokens[at].isSign("=") {
            if tokens[at].isSign("{") || tokens[at].isSign("}") || tokens[at].isSign(";") { return nil }
            at -= 1
        }
        guard at > 0, tokens[at].isSign("=") else { return nil }
        at = skipMarks(at - 1)
        if tokens[at].isSign(">") { at = beforeGenerics(at) }
        guard at >= 0, tokens[at].kind == .word else { return nil }
        return bytes.text(tokens[at > 1 && tokens[at - 1].isSign(":") ? at - 2 : at])
    }

    /// `NSFetchRequest<Person *> *request = …`
    private func objectiveCName(after index: Int) -> String? {
        var at = index + 1
        if at < tokens.count, tokens[at].isSign("<") {
            while at < min(tokens.count, index + 8), !tokens[at].isSign(">") { at += 1 }
            at += 1
        }
        guard at + 1 < tokens.count, tokens[at].isSign("*"), tokens[at + 1].kind == .word else { return nil }
        return bytes.text(tokens[at + 1])
    }
}
