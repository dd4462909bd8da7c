import HTTPCore
import Testing
import PortableFoundation

/// Tests of the verdicts on wire vectors.
@Suite struct WireVectorTests {
    private func vector(_ verdict: String, _ message: String? = nil) throws -> WireVector {
        let message = message.map { #", "message": {"status": 200, "body_length": 2, \#($0)}"# }
        let json = #"""
            {"id": "x", "request_method": "GET", "raw_b64": "", "rfc": \#
            {"verdict": "\#(verdict)"\#(message ?? "")}}
            """#
        return try JSONDecoder().decode(WireVector.self, from: Data(json.utf8))
    }

    private func answer(_ fields: [[String]], trailers: [[String]] = []) -> WireVector.Outcome {
        .answer(status: 200, fields: fields, body: Data("ok".utf8), trailers: trailers)
    }

    private let error = WireVector.Outcome.error(HTTPError(.protocolViolation, "no"))
    private let two = [["A", "1"], ["a", "2"]]

    @Test(arguments: [
        ("accept", true, false), ("either", true, true), ("reject", false, true),
        ("incomplete", false, true), ("unheard of", false, false),
    ])
    func `a verdict allows an answer, an error, or both`(
        verdict: String, answered: Bool, failed: Bool
    ) throws {
        let vector = try vector(verdict, #""fields": [["a", "1"], ["A", "2"]]"#)
        #expect(vector.allows(answer(two)) == answered)
        #expect(vector.allows(error) == failed)
    }

    @Test func `an answer without a message to compare it with is not right`() throws {
        #expect(try !vector("accept").allows(answer([])))
        #expect(try !vector("either").allows(answer([])))
    }

    @Test(arguments: [
        (#""field_count": 2"#, 0, true), (#""field_count": 1"#, 0, false),
        (#""field_count": 2, "trailer_count": 1"#, 1, true),
        (#""field_count": 2, "trailer_count": 1"#, 0, false),
        (#""field_count": 2, "trailer_count": 0"#, 1, false),
        (#""field_count": 2"#, 1, false),
        (#""fields": [["a", "1"], ["a", "2"]], "field_count": 7"#, 0, true),
        (#""fields": [["a", "2"], ["a", "1"]]"#, 0, false), (#""fields": []"#, 0, false),
    ])
    func `large messages are compared by their counts, others by their fields`(
        message: String, trailers: Int, isRight: Bool
    ) throws {
        let vector = try vector("accept", message)
        let trailers = Array(repeating: ["t", "1"], count: trailers)
        #expect(vector.allows(answer(two, trailers: trailers)) == isRight)
    }

    @Test func `joined sections are compared by name, and hold no more than was sent`() throws {
        let joined = answer([["c", "3"], ["a", "1, 2"]])
        let fields = try vector("accept", #""fields": [["A", "1"], ["c", "3"], ["a", "2"]]"#)
        #expect(fields.allows(joined, .joined) && !fields.allows(joined, .whole))
        #expect(try vector("accept", #""field_count": 5009"#).allows(joined, .joined))
        #expect(try !vector("accept", #""field_count": 1"#).allows(joined, .joined))
        #expect(try !vector("accept", #""field_count": 3"#).allows(answer([]), .joined))
    }
}
