import HTTPClientKit
import Testing

@testable import fetch

@Suite struct ContinuedFileTests {
    private func rest(
        _ status: HTTPStatus, _ range: String?, from offset: String = "5"
    ) throws -> ContinuedFile.Rest {
        var headers = HTTPHeaders()
        if let range { try headers.set("Content-Range", range) }
        let head = HTTPResponse(status, headers: headers, to: try HTTPRequest("http://h/")).head
        return try ContinuedFile(argument: offset, path: nil).rest(head)
    }

    @Test func `only the bytes at the end are added`() throws {
        #expect(try rest(.partialContent, "bytes 5-9/10") == .body)
        #expect(try rest(.ok, nil, from: "0") == .body)
        #expect(try rest(.notFound, nil) == .other)
        #expect(try rest(.rangeNotSatisfiable, "bytes */5") == .nothing)
        #expect(try rest(.rangeNotSatisfiable, "bytes */4") == .other)
        #expect(throws: FetchFailure.self) { try rest(.ok, nil) }
        #expect(throws: FetchFailure.self) { try rest(.partialContent, "bytes 4-9/10") }
        #expect(throws: FetchFailure.self) { try rest(.partialContent, nil) }
    }

    @Test func `the offset is a number, or the length of the file`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("12345", to: "f")
        #expect(try ContinuedFile(argument: "-", path: path).offset == 5)
        #expect(try ContinuedFile(argument: "-", path: path + "x").offset == 0)
        #expect(try ContinuedFile(argument: "-", path: nil).offset == 0)
        #expect(try ContinuedFile(argument: "7", path: path).offset == 7)
        for argument in ["", "-1", "x", "5-"] {
            #expect(throws: HTTPError.self) { try ContinuedFile(argument: argument, path: path) }
        }
        var request = try HTTPRequest("http://h/")
        try ContinuedFile(argument: "7", path: nil).complete(&request)
        #expect(request.headers[.range] == "bytes=7-")
        #expect(throws: HTTPError.self) {
            try ContinuedFile(argument: "7", path: nil).complete(&request)
        }
    }
}
