import HTTPCore
import TestSupport
import Testing

@Suite struct HTTPStatusTests {
    @Test(arguments: [Int.min, -1, 0, 99, 1000, 65_736, Int.max])
    func `a code outside 100 to 999 is no status`(code: Int) {
        #expect(HTTPStatus(code: code) == nil)
    }

    // MARK: Every code is kept

    @Test(.rows("S0-40"))
    func `every code of three digits is kept as it is`() {
        #expect((100...999).allSatisfy { HTTPStatus(code: $0)?.code == $0 })
    }

    @Test(
        .rows("S0-40"),
        arguments: [
            (100, .informational), (199, .informational), (200, .successful), (299, .successful),
            (300, .redirection), (399, .redirection), (400, .clientError), (499, .clientError),
            (500, .serverError), (599, .serverError), (600, nil), (999, nil),
        ] as [(Int, HTTPStatus.Class?)])
    func `the class is the first digit's, and none beyond 599`(
        code: Int, expected: HTTPStatus.Class?
    ) throws {
        let status = try #require(HTTPStatus(code: code))
        #expect(status.class == expected)
        #expect(status.isSuccessful == (expected == .successful))
        #expect(status.isRedirection == (expected == .redirection))
        #expect(status.isClientError == (expected == .clientError))
        #expect(status.isServerError == (expected == .serverError || code > 599))
    }

    @Test(
        arguments: [
            (.ok, "200 OK"), (.notFound, "404 Not Found"), (.imUsed, "226 IM Used"),
            (.uploadResumptionSupported, "104 Upload Resumption Supported"),
            (.contentTooLarge, "413 Content Too Large"), (HTTPStatus(code: 299), "299"),
            (HTTPStatus(code: 799), "799"),
        ] as [(HTTPStatus?, String)])
    func `a status reads as its code and registered phrase`(
        status: HTTPStatus?, text: String
    ) throws {
        #expect(try #require(status).description == text)
    }

    @Test func `statuses compare by code`() {
        #expect(HTTPStatus.ok < .created)
        #expect(HTTPStatus(code: 404) == .notFound)
        #expect(
            [HTTPStatus.badGateway, .continue, .found].sorted() == [.continue, .found, .badGateway])
    }
}
