import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite struct DownloadPlanTests {
    private static let restart = DownloadPlan.startOver

    /// A response of the server, by status and fields, and the expected plan.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: HTTPStatus
        var headers: HTTPHeaders
        var contentLength: Int64?
        var plan: Plan

        init(
            _ description: String, _ status: HTTPStatus, _ headers: HTTPHeaders = [:],
            _ contentLength: Int64?, _ plan: Plan
        ) {
            testDescription = description
            (self.status, self.headers) = (status, headers)
            (self.contentLength, self.plan) = (contentLength, plan)
        }
    }

    /// A plan without the reason of a refusal.
    enum Plan: Hashable, Sendable {
        case write(Int64, end: Int64?, length: Int64?)
        case finish(Int64)
        case startOver, refuse, unexpected

        init(_ plan: DownloadPlan) {
            switch plan {
            case .write(let offset, let end, let length):
                self = .write(offset, end: end, length: length)
            case .finish(let size): self = .finish(size)
            case .startOver: self = .startOver
            case .refuse: self = .refuse
            case .unexpected: self = .unexpected
            }
        }
    }

    private func plan(_ row: Row, _ part: StoredPart?) throws -> Plan {
        let url = try URL(strictly: "https://h/f")
        let head = HTTPResponse.Head(status: row.status, headers: row.headers, url: url)
        return Plan(DownloadPlan(head, contentLength: row.contentLength, to: part))
    }

    private static func range(_ text: String, tag: String? = #""v1""#) -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        headers[.contentRange] = text
        headers[.eTag] = tag
        return headers
    }

    private static func coded(_ coding: String) -> HTTPHeaders {
        var headers = range("bytes 40-99/100")
        headers[.contentEncoding] = coding
        return headers
    }

    // MARK: Content that the transport has decoded

    @Test(.rows("S1-31"))
    func `decoded content is a whole file or none, whatever its range`() throws {
        let url = try HTTPRequest("https://h/f").url
        let rest = HTTPResponse.Head(
            status: .partialContent, headers: Self.range("bytes 40-99/100"), url: url)
        let whole = HTTPResponse.Head(
            status: .partialContent, headers: Self.range("bytes 0-99/100"), url: url)
        let all = HTTPResponse.Head(status: .ok, headers: [.eTag: #""v1""#], url: url)
        let condition = try #require(IfRange(resuming: all.headers))
        let part = StoredPart(bytes: 40, condition: condition, length: 100)
        let plan = DownloadPlan(rest, contentLength: nil, to: part, isDecoded: true)
        #expect(plan == .startOver)
        let unknown = DownloadPlan.write(offset: 0, end: nil, length: nil)
        #expect(DownloadPlan(whole, contentLength: nil, to: nil, isDecoded: true) == unknown)
        #expect(DownloadPlan(all, contentLength: nil, to: part, isDecoded: true) == unknown)
        guard case .refuse = DownloadPlan(rest, contentLength: nil, to: nil, isDecoded: true) else {
            Issue.record("a part was taken for the file")
            return
        }
    }

    // MARK: Responses to a request for the rest

    /// 40 of 100 bytes of the version `"v1"` are stored.
    @Test(
        .rows("S1-31"),
        arguments: [
            Row(
                "the rest", .partialContent, range("bytes 40-99/100"), 60,
                .write(40, end: 100, length: 100)),
            Row(
                "of unknown framing", .partialContent, range("bytes 40-99/100"), nil,
                .write(40, end: 100, length: 100)),
            Row(
                "a piece of it", .partialContent, range("bytes 40-49/100"), 10,
                .write(40, end: 50, length: 100)),
            Row(
                "of a whole unsaid", .partialContent, range("bytes 40-99/*"), 60,
                .write(40, end: 100, length: 100)),
            Row("another coding", .partialContent, coded("gzip"), 60, .startOver),
            Row("another coding, twice", .partialContent, coded("identity, br"), 60, .startOver),
            Row(
                "the coding that is none", .partialContent, coded("Identity"), 60,
                .write(40, end: 100, length: 100)),
            Row("another range", .partialContent, range("bytes 41-99/100"), 59, .refuse),
            Row("an earlier range", .partialContent, range("bytes 0-99/100"), 100, .refuse),
            Row(
                "fewer bytes than the range", .partialContent, range("bytes 40-99/100"), 59, .refuse
            ),
            Row(
                "more bytes than the range", .partialContent, range("bytes 40-99/100"), 61, .refuse
            ),
            Row("beyond the whole", .partialContent, range("bytes 40-100/*"), 61, .refuse),
            Row("no Content-Range", .partialContent, [.eTag: #""v1""#], 60, .refuse),
            Row("a broken one", .partialContent, range("bytes 99-40/100"), 60, .refuse),
            Row(
                "of several", .partialContent, [.contentType: "multipart/byteranges; boundary=b"],
                60,
                .refuse),
            Row("another unit", .partialContent, range("lines 40-99/100"), 60, .refuse),
            Row(
                "another tag", .partialContent, range("bytes 40-99/100", tag: #""v2""#), 60,
                .startOver),
            Row(
                "a weak tag", .partialContent, range("bytes 40-99/100", tag: #"W/"v1""#), 60,
                .startOver
            ),
            Row("no tag", .partialContent, range("bytes 40-99/100", tag: nil), 60, .startOver),
            Row("another length", .partialContent, range("bytes 40-98/99"), 59, .startOver),
            Row(
                "another tag and range", .partialContent, range("bytes 0-9/10", tag: #""v2""#), 10,
                .startOver),
            Row("all of it", .ok, [.eTag: #""v2""#], 80, .write(0, end: 80, length: 80)),
            Row("all, of unknown length", .ok, [:], nil, .write(0, end: nil, length: nil)),
            Row("transformed", .nonAuthoritativeInformation, [:], 7, .write(0, end: 7, length: 7)),
            Row("nothing beyond 40", .rangeNotSatisfiable, range("bytes */40"), 0, .startOver),
            Row("nothing, no reason", .rangeNotSatisfiable, [:], 0, .startOver),
            Row("not modified", .notModified, [:], 0, .unexpected),
            Row("no content", .noContent, [:], 0, .unexpected),
            Row("reset content", .resetContent, [:], 0, .unexpected),
            Row("elsewhere", .found, [.location: "/g"], 0, .unexpected),
            Row("not found", .notFound, [:], 9, .unexpected),
            Row("failed", .preconditionFailed, [:], 0, .unexpected),
            Row("busy", .serviceUnavailable, [:], 0, .unexpected),
        ])
    func `the response to a request for the rest determines the plan`(row: Row) throws {
        let tag = try #require(EntityTag(opaqueTag: "v1"))
        let part = StoredPart(bytes: 40, condition: .entityTag(tag), length: 100)
        #expect(try plan(row, part) == row.plan)
    }

    /// 40 bytes are stored, and the length of the whole is not known.
    @Test(
        .rows("S1-31"),
        arguments: [
            Row(
                "the rest", .partialContent, range("bytes 40-99/100"), 60,
                .write(40, end: 100, length: 100)),
            Row(
                "of a whole unsaid", .partialContent, range("bytes 40-49/*"), 10,
                .write(40, end: 50, length: nil)),
            Row("that was all", .rangeNotSatisfiable, range("bytes */40"), 0, .finish(40)),
            Row(
                "that was all, no tag", .rangeNotSatisfiable, range("bytes */40", tag: nil), 0,
                .finish(40)),
            Row(
                "all, of another version", .rangeNotSatisfiable, range("bytes */40", tag: #""v2""#),
                0,
                .startOver),
            Row("there are fewer", .rangeNotSatisfiable, range("bytes */39"), 0, .startOver),
            Row("there are more", .rangeNotSatisfiable, range("bytes */41"), 0, .startOver),
        ])
    func `a response for a part of unknown length determines the plan`(row: Row) throws {
        let tag = try #require(EntityTag(opaqueTag: "v1"))
        let part = StoredPart(bytes: 40, condition: .entityTag(tag), length: nil)
        #expect(try plan(row, part) == row.plan)
    }

    @Test(
        .rows("S1-31"),
        arguments: [
            Row(
                "the rest", .partialContent, range("bytes 40-99/100", tag: nil), 60,
                .write(40, end: 100, length: 100)),
            Row(
                "of that date", .partialContent,
                [.contentRange: "bytes 40-99/100", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"],
                60,
                .write(40, end: 100, length: 100)),
            Row(
                "of a later one", .partialContent,
                [.contentRange: "bytes 40-99/100", .lastModified: "Sun, 06 Nov 1994 08:49:38 GMT"],
                60,
                .startOver),
            Row(
                "of no date at all", .partialContent,
                [.contentRange: "bytes 40-99/100", .lastModified: "yesterday"], 60, .startOver),
        ])
    func `a response for a part with a date as version determines the plan`(row: Row) throws {
        let date = HTTPDate(HTTPTestClock.standardDate)
        let part = StoredPart(bytes: 40, condition: .date(date), length: 100)
        #expect(try plan(row, part) == row.plan)
    }

    @Test(
        .rows("S1-31"),
        arguments: [
            Row("all of it", .ok, [.eTag: #""v1""#], 80, .write(0, end: 80, length: 80)),
            Row("as created", .created, [:], nil, .write(0, end: nil, length: nil)),
            Row("nothing at all", .ok, [:], 0, .write(0, end: 0, length: 0)),
            // Not requested, but the whole file.
            Row(
                "all of it as a part", .partialContent, range("bytes 0-79/80"), 80,
                .write(0, end: 80, length: 80)),
            Row(
                "of unknown framing", .partialContent, range("bytes 0-79/80", tag: nil), nil,
                .write(0, end: 80, length: 80)),
            Row("fewer bytes than the range", .partialContent, range("bytes 0-79/80"), 79, .refuse),
            Row("more bytes than the range", .partialContent, range("bytes 0-79/80"), 81, .refuse),
            Row("the beginning", .partialContent, range("bytes 0-78/80"), 79, .refuse),
            Row("the end", .partialContent, range("bytes 1-79/80"), 79, .refuse),
            Row("of a whole unsaid", .partialContent, range("bytes 0-79/*"), 80, .refuse),
            Row("of another unit", .partialContent, range("lines 0-79/80"), 80, .refuse),
            Row("of nothing", .partialContent, range("bytes */80"), 80, .refuse),
            Row("no Content-Range", .partialContent, [:], 80, .refuse),
            Row("no range", .rangeNotSatisfiable, range("bytes */40"), 0, .unexpected),
            Row("no content", .noContent, [:], 0, .unexpected),
        ])
    func `the response to a request for the whole file determines the plan`(row: Row) throws {
        #expect(try plan(row, nil) == row.plan)
    }

    @Test(.rows("S1-31"))
    func `a whole part requests its last byte, and a part that is too long nothing`() throws {
        let tag = IfRange.entityTag(try #require(EntityTag(opaqueTag: "v1")))
        let whole = try #require(StoredPart(bytes: 100, condition: tag, length: 100))
        #expect(whole.offset == 99)
        var request = try HTTPRequest("https://h/f")
        whole.ask(&request)
        #expect(request.headers[.range] == "bytes=99-")
        #expect(request.headers[.ifRange] == #""v1""#)
        #expect(StoredPart(bytes: 101, condition: tag, length: 100) == nil)
        #expect(StoredPart(bytes: 0, condition: tag, length: 100) == nil)
    }
}
