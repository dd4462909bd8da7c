import HTTPCore
import Testing
@testable import HTTPCaching
import PortableFoundation

@Suite struct StorabilityTests {
    private func refusal(_ code: Int, _ headers: HTTPHeaders) throws -> String? {
        let status = try #require(HTTPStatus(code: code))
        let head = HTTPResponse.Head(
            status: status, headers: headers, url: try HTTPRequest("http://h/").url)
        let received = Date(timeIntervalSince1970: 784_111_777)
        return Storability.refusal(
            of: head, CacheFacts(status: status, headers: headers, received: received))
    }

    @Test(
        arguments: [
            (200, ["Cache-Control": "max-age=1"], nil),
            (200, ["Cache-Control": "private, max-age=1"], nil),
            (200, ["Cache-Control": "no-cache", "ETag": "\"a\""], nil),
            (200, ["ETag": "\"a\""], nil),
            (200, [:], "no-freshness"),
            (200, ["Cache-Control": "no-store, max-age=1"], "no-store"),
            (200, ["Cache-Control": "No-Store"], "no-store"),
            (200, ["Cache-Control": "max-age=1, no-store, must-understand"], nil),
            (299, ["Cache-Control": "max-age=1, no-store, must-understand"], "must-understand"),
            (299, ["Cache-Control": "max-age=1"], nil),
            (206, ["Cache-Control": "max-age=1"], "status"),
            (304, ["Cache-Control": "max-age=1"], "status"),
            (103, ["Cache-Control": "max-age=1"], "status"),
            (302, ["ETag": "\"a\""], "status"),
            (302, ["Cache-Control": "max-age=1"], nil),
            (500, ["Cache-Control": "max-age=1"], nil),
            (200, ["Cache-Control": "max-age=1", "Vary": "*"], "vary"),
            (200, ["Cache-Control": "max-age=1", "Vary": "Accept, *"], "vary"),
            (200, ["Cache-Control": "max-age=1", "Vary": "Accept"], nil),
        ] as [(Int, HTTPHeaders, String?)])
    func `a response is stored if the standard allows it and it can be of use`(
        code: Int, headers: HTTPHeaders, expected: String?
    ) throws {
        #expect(try refusal(code, headers) == expected)
    }
}
