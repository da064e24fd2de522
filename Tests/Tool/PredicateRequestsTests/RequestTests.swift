// A request in, its answer out, without a program.

import PredicateRecords
import PredicateRequests
import PredicateSyntax
import Testing

@Suite struct RequestTests {
    private func answers(_ lines: String...) -> [String] {
        var service = RequestService()
        return lines.map { service.answer(Array($0.utf8)[...]).json }
    }

    @Test func requestIsEvaluated() {
        #expect(
            answers(
                #"{"command":"eval","id":7,"format":"a > %@","arguments":[1],"input":{"a":2}}"#,
                #"{"command":"eval","format":"a + 1","kind":"expression","input":{"a":2}}"#)
                == [
                    #"{"id":7,"ok":true,"canonical":"a > 1","result":true}"#,
                    #"{"id":null,"ok":true,"canonical":"a + 1","result":3}"#,
                ])
    }

    @Test func objectsAreFiltered() {
        #expect(
            answers(#"{"command":"filter","format":"n > 1","objects":[{"n":1},{"n":2},{"n":"x"},{"n":3}]}"#) == [
                #"{"id":null,"ok":true,"canonical":"n > 1","indices":[1,3],"#
                    + #""failures":[{"index":2,"message":"> cannot take a text and an integer"}]}"#
            ])
    }

    @Test func schemaIsSentOnce() {
        let found = answers(
            #"{"command":"schema","schema":{"entity":"P","entities":{"P":{"attributes":{"age":"integer"}}}}}"#,
            #"{"command":"check","format":"agee > 3","schema":1}"#,
            #"{"command":"sql","format":"age > 3","schema":1,"dialect":"sqlite"}"#,
            #"{"command":"release","schema":1}"#, #"{"command":"check","format":"age > 3","schema":1}"#,
            #"{"command":"release","schema":1}"#)
        #expect(found[0] == #"{"id":null,"ok":true,"schema":1}"#)
        #expect(found[1].contains(#""suggestions":["age"]"#))
        #expect(found[2].contains(#""sql":"\"t0\".\"age\" > ?""#), "\(found[2])")
        #expect(found[3] == #"{"id":null,"ok":true}"#)
        #expect(found[4].contains("there is no schema 1"))
        #expect(found[5].contains(#""ok":false"#))
    }

    @Test func objectsAreSentOnce() {
        let found = answers(
            #"{"command":"records","keep":true,"name":"x.csv","text":"n,d\n1,a\n5,\n3,b\n"}"#,
            #"{"command":"filter","format":"n > 1 AND d != nil","objects":1}"#,
            #"{"command":"why","format":"n > 1","objects":1,"index":2}"#,
            #"{"command":"why","format":"n > 1","objects":1,"index":3}"#, #"{"command":"release","objects":1}"#,
            #"{"command":"filter","format":"n > 1","objects":1}"#, #"{"command":"release","objects":1}"#)
        #expect(found[0].contains(#""objects":[{"n":1,"d":"a"},{"n":5,"d":null},{"n":3,"d":"b"}],"handle":1,"#))
        #expect(found[1] == #"{"id":null,"ok":true,"canonical":"n > 1 AND d != nil","indices":[2]}"#)
        #expect(found[2].contains(#""operands":[{"text":"n","value":"3"}]"#))
        #expect(found[3].contains("must be the index of an object"))
        #expect(found[4] == #"{"id":null,"ok":true}"#)
        #expect(found[5].contains("there are no objects 1"))
        #expect(found[6].contains("must be a handle"))
        #expect(!found[0].contains("\n"))
    }

    /// Each of many equal names gets its number at once.
    @Test func columnsOfOneNameAreNumbered() {
        let header = Array(repeating: "a", count: 10_000).joined(separator: ",")
        let answer = answers(#"{"command":"records","name":"x.csv","text":"\#(header)\n\#(header)\n"}"#)[0]
        #expect(answer.contains(#"[{"a":"a","a_2":"a","a_3":"a","#) && answer.contains(#","a_10000":"a"}]"#))
    }

    /// A file is read by its name or its first bytes. The place of a predicate determines its profile.
    @Test(arguments: [
        ("manifest", #"<plist><dict><key>installable_condition</key><string>TEXT</string></dict></plist>"#),
        ("a.yaml", "installable_condition: TEXT\n"), ("a.json", #"{"installable_condition": "TEXT"}"#),
    ]) func fileIsLinted(name: String, file: String) {
        func lint(_ text: String, _ members: String = "") -> String {
            let file = file.replacing("TEXT", with: text)
            let request = PredicateValue.dictionary(
                ValueDictionary([("command", .string("lint")), ("name", .string(name)), ("text", .string(file))]))
            return answers(JSON.text(request).dropLast() + members + "}")[0]
        }
        #expect(lint("arch == 'arm64'") == #"{"id":null,"ok":true,"file":"\#(name)","predicates":1}"#)
        let found = lint("os_version == 'x'")
        #expect(found.contains(#""predicates":1,"diagnostics":[{"id":"profile-key""#), "\(found)")
        #expect(found.contains(#""suggestions":["os_vers"]"#), "\(found)")
        let start = file.utf8.count - file.replacing(/.*TEXT/.dotMatchesNewlines(), with: "").utf8.count - 4
        #expect(found.contains(#""start":\#(start),"end":\#(start + 10),"#), "\(found)")
        #expect(lint("x == 'x'", #","profile":"cloudkit","list":true"#).contains(#""predicate":"x == 'x'","ok":"#))
        #expect(lint("x FOO 'x'").contains(#""ok":false"#))
    }

    @Test func sourcesAreLinted() {
        let answer = answers(
            #"{"command":"lint","name":"a.swift","text":"find(where: \"a = = 1\")","calls":["find(where:)"]}"#,
            #"{"command":"lint","name":"a.py","text":"NSPredicate.predicateWithFormat_(\"a ==\")"}"#,
            #"{"command":"lint","name":"a.predicates","text":"// one\na == 1\nb ==\n","list":true}"#,
            #"{"command":"lint","name":"a.swift","text":"let a = 1"}"#)
        #expect(answer[0].contains(#""predicates":1,"diagnostics":[{"id":""#), "\(answer[0])")
        #expect(answer[1].contains(#""predicates":1,"diagnostics":[{"id":""#), "\(answer[1])")
        #expect(
            answer[2].contains(
                #"[{"line":2,"column":1,"in":"line","predicate":"a == 1","ok":true},{"line":3,"column":1,"in":"line","predicate":"b ==","ok":false}]"#
            ), "\(answer[2])")
        #expect(answer[3] == #"{"id":null,"ok":true,"file":"a.swift","predicates":0}"#)
    }

    @Test func longRequestIsRefused() {
        let answer = answers(String(repeating: " ", count: RequestService.longestRequest) + "{}")[0]
        #expect(answer.contains("a request has at most 32 MB"))
        #expect(answer.hasPrefix(#"{"id":null,"ok":false"#))
    }

    @Test(arguments: [
        (#"{"command":"simplify","format":"NOT (a > 3 AND TRUEPREDICATE)"}"#, #""simplified":"NOT a > 3""#),
        (
            #"{"command":"complete","format":"a BEG OR b","offset":5,"schema":{"entity":"P","entities":{"P":{"attributes":{"a":"string"}}}}}"#,
            #""completions":{"start":2,"end":5,"candidates":[{"text":"BEGINSWITH","kind":"operator""#
        ),
        (#"{"command":"explain","diagnostic":"unknown-key"}"#, #""sentence":"… has no key '…'""#),
        (#"{"command":"why","format":"a > 3","input":{"a":1}}"#, #""operands":[{"text":"a","value":"1"}]"#),
        (#"{"command":"format","format":"a==1","shape":"tree"}"#, #""tree":{"kind":"comparison""#),
        (#"{"command":"format","format":"a==1 AND b==2","shape":"pretty","width":20}"#, #""text":"a == 1 AND b == 2""#),
        (#"{"command":"format","format":"a == 1"}"#, #""canonical":"a == 1""#),
        (#"{"command":"records","name":"x.csv","text":"a,b\n1,x\n"}"#, #""objects":[{"a":1,"b":"x"}]"#),
        (#"{"command":"records","text":"{\"a\":1}\n{\"a\":\n"}"#, #""problems":[{"line":2,"#),
        (#"{"command":"profiles"}"#, #""profiles":[{"name":"autopkg","summary":"StopProcessingIf of AutoPkg"#),
        (
            #"{"command":"check","format":"os_vers >= '10.9'","profile":"munki"}"#,
            #"{"id":"version-order","severity":"warning""#
        ),
        (
            #"{"command":"complete","format":"machine_type == ","profile":"munki"}"#,
            #""text":"\"laptop\"","kind":"value""#
        ),
    ]) func commandIsAnswered(line: String, part: String) {
        let answer = answers(line)[0]
        #expect(answer.contains(#""ok":true"#) && answer.contains(part), "\(answer)")
    }

    @Test(arguments: [
        ("[", "the text ends where a value is expected"), ("[]", "a request must be an object"),
        (#"{"id":7}"#, #"\"format\" must be a text"#),
        (#"{"format":"a","kind":"text"}"#, #"\"kind\" must be \"predicate\" or \"expression\""#),
        (#"{"format":"a == %@","arguments":1}"#, "arguments must be an array"),
        (#"{"format":"a =="}"#, "expected a value here"), (#"{"command":"fly","format":"a"}"#, "unknown command 'fly'"),
        (#"{"command":"sql","format":"a == 1"}"#, #"sql needs \"schema\""#),
        (#"{"command":"sql","format":"a == 1","schema":{"entities":{"P":{"attributes":{}}}},"entity":"P"}"#, "dialect"),
        (#"{"command":"check","format":"a","schema":{"entities":3}}"#, "entities"),
        (#"{"command":"filter","format":"a == 1"}"#, #"\"objects\" is required"#),
        (#"{"command":"why","format":"a + 1","kind":"expression"}"#, "why takes a predicate"),
        (#"{"command":"explain","diagnostic":"nope"}"#, "must be the ID of a diagnostic"),
        (#"{"command":"filter","format":"f:(a) == 1","objects":[]}"#, "there is no function"),
        (#"{"command":"check","format":"a == 1","profile":"munky"}"#, "unknown profile 'munky'; did you mean munki?"),
        (#"{"command":"check","format":"a == 1","profile":{"extends":"x","clause":[]}}"#, "unknown field 'clause'"),
        (#"{"command":"lint"}"#, #"\"text\" must be a text"#),
        (#"{"command":"lint","text":"a == 1","name":"notes.txt"}"#, "does not read this kind of file"),
        (#"{"command":"lint","text":"let a = 1","name":"a.swift","calls":["x"]}"#, "'x' is not a call"),
        (
            #"{"command":"lint","text":"<dict>\n<key>condition</key>conditional_items","name":"a.plist"}"#,
            "a.plist:2:38: <dict> is not closed"
        ),
    ]) func problemIsAnswered(line: String, message: String) {
        let answer = answers(line)[0]
        #expect(answer.contains(#""ok":false"#) && answer.contains(message), "\(answer)")
    }
}
