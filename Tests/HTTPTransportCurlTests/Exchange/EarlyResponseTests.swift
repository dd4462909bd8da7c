import HTTPCore
import Testing

@testable import HTTPTransportCurl

struct EarlyResponseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var status = 200
        var version = HTTPVersion.http1_1
        var connection: String?
        var isFramed = true
        var cutsBody = false
        var isOutlived = true

        var testDescription: String {
            "\(version) \(status), Connection: \(connection ?? "–"), framed: \(isFramed)"
        }
    }

    static let cases: [Case] = [
        Case(), Case(status: 204), Case(status: 299),
        Case(connection: "keep-alive"), Case(connection: "closed"),
        Case(status: 300, cutsBody: true, isOutlived: false),
        Case(status: 307, cutsBody: true, isOutlived: false),
        Case(status: 400, cutsBody: true, isOutlived: false),
        Case(status: 413, connection: "close", cutsBody: true, isOutlived: false),
        Case(status: 999, cutsBody: true, isOutlived: false),
        Case(connection: "close", cutsBody: true, isOutlived: false),
        Case(connection: "Upgrade,\tCLOSE", cutsBody: true, isOutlived: false),
        Case(isFramed: false, isOutlived: false),
        Case(version: .http1_0, isOutlived: false),
        Case(version: .http1_0, connection: "Keep-Alive"),
        Case(version: .http1_0, connection: "keep-alive", isFramed: false, isOutlived: false),
    ]

    @Test(arguments: cases)
    func `what is not wanted is cut, and the rest is sent while the connection lives`(
        example: Case
    ) throws {
        var headers = HTTPHeaders()
        if let connection = example.connection { try headers.set(.connection, connection) }
        let early = EarlyResponse(
            status: try #require(HTTPStatus(code: example.status)), version: example.version,
            headers: headers, isFramed: example.isFramed)
        #expect(early.cutsBody == example.cutsBody)
        #expect(early.isOutlived == example.isOutlived)
    }
}
