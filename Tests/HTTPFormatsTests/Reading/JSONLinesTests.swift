import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct JSONLinesTests {
    struct Row: Codable, Sendable, Equatable { var id: Int }

    @Test func `a line is a value, empty lines are none`() async throws {
        let bytes = Data("{\"id\":1}\n\n \t\r\n{\"id\":2}\r\n{\"id\":3}".utf8)
        for pieces in Cuts.all(bytes) {
            let body = HTTPBody(source: ScriptedBodySource(pieces.map { .piece($0) }))
            var rows: [Row] = []
            for try await row in body.jsonLines(of: Row.self) { rows.append(row) }
            #expect(rows == [Row(id: 1), Row(id: 2), Row(id: 3)])
        }
    }

    @Test func `values of any shape keep their digits`() async throws {
        var values: [HTTPJSON] = []
        let body = HTTPBody("[1]\n12345678901234567890\n")
        for try await value in body.jsonLines(of: HTTPJSON.self) {
            values.append(value)
        }
        #expect(values.map(\.description) == ["[1]", "12345678901234567890"])
    }

    @Test func `a decoder of the caller's is asked`() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Name: Decodable, Sendable { var firstName: String }
        var names: [String] = []
        let body = HTTPBody(#"{"first_name":"Ada"}"#)
        for try await name in body.jsonLines(of: Name.self, decoder: decoder) {
            names.append(name.firstName)
        }
        #expect(names == ["Ada"])
    }

    @Test(
        arguments: [
            ("{\"id\":1}\n\nx\n{\"id\":2}", "line 3"), ("{\"id\":1}\n{\"id\":", "line 2"),
            ("{\"id\":1}\n{\"id\":\"secret\"}", "line 2"),
        ])
    func `the first line that is no value ends the reading and is named, without its text`(
        text: String, place: String
    ) async throws {
        let body = HTTPBody(source: ScriptedBodySource([.piece(Data(text.utf8)), "\n"]))
        let ends = BodyEnds(body)
        var rows: [Row] = []
        let error = await #expect(throws: HTTPError.self) {
            for try await row in body.jsonLines(of: Row.self) { rows.append(row) }
        }
        #expect(rows == [Row(id: 1)])
        #expect(error?.code == .decodingFailed && error?.message.contains(place) == true)
        #expect(error?.underlyingError is DecodingError)
        #expect(error?.description.contains("secret") == false)
        #expect(ends.list == ["abandoned"])
    }

    @Test func `a line beyond the limit is an error`() async throws {
        let body = HTTPBody(source: ScriptedBodySource(["[1]\n[1,", "2]"]))
        let error = await #expect(throws: HTTPError.self) {
            for try await _ in body.jsonLines(of: [Int].self, upTo: 4) {}
        }
        #expect(error?.code == .bodyTooLarge)
    }
}
