import HTTPCore
import Testing
@testable import HTTPFormats
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct HTTPBodyWriterJSONLinesTests {
    private struct Message: Codable, Equatable { var text: String }

    @Test func `values are written as lines, and read back`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        let messages = [Message(text: "a/b"), Message(text: "two\nlines")]
        for message in messages { try await writer.write(jsonLine: message) }
        try await writer.write(jsonLine: try HTTPJSON(parsing: Array(#"{"n":1.50}"#.utf8)[...]))
        try writer.finish()
        let text = String(decoding: try await body.collect(), as: UTF8.self)
        #expect(text == "{\"text\":\"a/b\"}\n{\"text\":\"two\\nlines\"}\n{\"n\":1.50}\n")
    }

    @Test func `a value that is no line is refused, and the writer remains usable`() async throws {
        let (body, writer) = HTTPBody.makeWritable()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        for (value, encoder) in [(["n": 1.0], encoder), (["n": .infinity], .sortedJSON)] {
            let error = await #expect(throws: HTTPError.self) {
                try await writer.write(jsonLine: value, encoder: encoder)
            }
            #expect(error?.code == .encodingFailed)
        }
        try await writer.write(jsonLine: 5)
        try writer.finish()
        #expect(try await body.collect() == Data("5\n".utf8))
    }
}
