import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct HTTPResponseTextTests {
    private func response(
        coding: String?, _ bytes: [UInt8], type: String = "text/plain"
    ) throws -> HTTPResponse {
        var headers: HTTPHeaders = [.contentType: type]
        headers[.contentEncoding] = coding
        return HTTPResponse(
            .ok, headers: headers, body: HTTPBody(Data(bytes)), to: try HTTPRequest("https://h/"))
    }

    private static let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]

    @Test(
        arguments: ["gzip", "br", "deflate, gzip", "X-GZIP"], ["text/plain", "text/a;charset=l1"])
    func `text in a content coding is refused, naming it`(
        coding: String, type: String
    ) async throws {
        let response = try response(coding: coding, Self.gzip, type: type)
        let error = await #expect(throws: HTTPError.self) { try await response.text() }
        #expect(error?.code == .decodingFailed && error?.bodyPrefix == Data(Self.gzip))
        #expect(error?.message.contains("content coding \"\(coding.lowercased())\"") == true)
        #expect(error?.message.contains("do not set Accept-Encoding") == true)
        let json = await #expect(throws: HTTPError.self) { try await response.json(Int.self) }
        #expect(json?.message.contains("content coding \"\(coding.lowercased())\"") == true)
    }

    @Test(arguments: [nil, "identity", "utf-8", "none"])
    func `text is read although a server misuses the field`(coding: String?) async throws {
        #expect(try await response(coding: coding, Array("hi".utf8)).text() == "hi")
        #expect(try await response(coding: coding, Array("1".utf8)).json(Int.self) == 1)
    }

    @Test func `an empty body is empty text in any coding`() async throws {
        #expect(try await response(coding: "gzip", []).text().isEmpty)
    }
}
