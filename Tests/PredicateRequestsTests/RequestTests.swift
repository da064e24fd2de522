// A request in, its answer out, without a program.

import PredicateEvaluation
import PredicateRequests
import Testing

@Suite struct RequestTests {
    private func answer(_ line: String) throws -> String {
        try Answer(line: Array(line.utf8)[...]) { fields in
            let request = try Request(fields, TextReader(), variables: [:], replacesVariables: false)
            return try Answer(evaluating: request.read(), input: request.input(), variables: request.variables)
        }.json
    }

    @Test func requestIsEvaluated() throws {
        #expect(
            try answer(#"{"id":7,"format":"a > %@","arguments":[1],"input":{"a":2}}"#)
                == #"{"id":7,"ok":true,"canonical":"a > 1","result":true}"#)
        #expect(
            try answer(#"{"format":"a + 1","kind":"expression","input":{"a":2}}"#)
                == #"{"id":null,"ok":true,"canonical":"a + 1","result":3}"#)
    }

    @Test(arguments: [
        ("[", "the text ends where a value is expected"), ("[]", "a request must be an object"),
        (#"{"id":7}"#, #"\"format\" must be a text"#),
        (#"{"format":"a","kind":"text"}"#, #"\"kind\" must be \"predicate\" or \"expression\""#),
        (#"{"format":"a == %@","arguments":1}"#, "arguments must be an array"),
        (#"{"format":"a =="}"#, "expected a value here"),
    ]) func problemIsAnswered(line: String, message: String) throws {
        let answer = try answer(line)
        #expect(answer.contains(#""ok":false"#) && answer.contains(message), "\(answer)")
    }
}
