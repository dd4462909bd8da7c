import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPClientKit
import PortableFoundation

@Suite struct PartRecordTests {
    private let request: HTTPRequest
    private let record: PartRecord

    init() throws {
        request = try HTTPRequest("https://h/f")
        record = try Self.record(request, [.eTag: #""v1""#])
    }

    private static func record(
        _ request: HTTPRequest, _ headers: HTTPHeaders
    ) throws -> PartRecord {
        let head = HTTPResponse.Head(status: .ok, headers: headers, url: request.url)
        return try #require(PartRecord(head, to: request, length: 1000))
    }

    private static let dated: HTTPHeaders = [
        .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Sun, 06 Nov 1994 08:49:38 GMT",
    ]

    /// The properties that the first version of this package reads.
    private struct FirstVersion: Codable {
        var url: String
        var fingerprint: String
        var ifRange: String
        var coding: String?
        var length: Int64?
        var durable: Int64
        var boot: String?
    }

    // MARK: Gaps

    @Test(.rows("S1-31"))
    func `a record of a part with gaps is read as it was written`() throws {
        var record = record
        record.goOn(beside: [0..<10, 500..<600], of: 1000)
        record.ranges?.durable = [0..<5]
        let text = try record.encoded()
        #expect(PartRecord(encoded: text) == record)
        let later = StoredRanges(durable: [], arrived: [0..<20, 500..<700, 800..<801])
        #expect(
            PartRecord(encoded: text + (try later.line()))?.ranges
                == StoredRanges(durable: [0..<5], arrived: later.arrived))
    }

    @Test(
        .rows("S1-31"), arguments: ["[0,2", "[0", "[", "\u{0}\u{0}\u{0}", "[0,20,10,30]", "[5,5]"])
    func `an incomplete or damaged last line leaves the line before it`(line: String) throws {
        var record = record
        record.goOn(beside: [0..<10, 500..<600], of: 1000)
        let text = try record.encoded() + Data(line.utf8)
        #expect(PartRecord(encoded: text) == record)
    }

    @Test(
        .rows("S1-31"),
        arguments: ["[0,1001]", "[-1,5]", "[0]", "[10,5]", "[0,10,5,20]", "null", "{}"])
    func `a record with impossible synced ranges is no record`(ranges: String) throws {
        var record = record
        record.goOn(beside: [], of: 1000)
        let text = String(decoding: try record.encoded(), as: UTF8.self)
        #expect(text.contains(#""durable":[]"#))
        let damaged = text.replacing(#""durable":[]"#, with: #""durable":"# + ranges)
        #expect(PartRecord(encoded: Data(damaged.utf8)) == nil)
        let later = text.replacing(#""format":2"#, with: #""format":3"#)
        #expect(later != text && PartRecord(encoded: Data(later.utf8)) == nil)
    }

    @Test(.rows("S1-31"))
    func `the first version of this package finds no record of a part with gaps`() throws {
        var record = record
        record.goOn(beside: [0..<10, 500..<600], of: 1000)
        let text = try record.encoded()
        let line = try #require(text.split(separator: UInt8(ascii: "\n")).first)
        for text in [text, Data(line)] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(FirstVersion.self, from: text)
            }
        }
    }

    @Test(.rows("S1-31"))
    func `both versions understand each other's record of a part without gaps`() throws {
        let old = try JSONDecoder().decode(FirstVersion.self, from: record.encoded())
        #expect(old.ifRange == #""v1""#)
        let text = try JSONEncoder().encode(old)
        let read = try #require(PartRecord(encoded: text))
        #expect(read.condition(of: request) != nil)
        #expect(read.trustedBytes(of: 70) == 70)
    }

    @Test(.rows("S1-31"))
    func `after a restart of the system, only synced ranges count`() throws {
        var record = record
        record.goOn(beside: [0..<10, 500..<600], of: 1000)
        record.ranges?.durable = [0..<5, 500..<550]
        #expect(record.trustedRanges(of: 1000) == [0..<10, 500..<600])
        #expect(record.trustedRanges(of: 520) == [0..<10, 500..<520], "the file is shorter")
        #expect(record.trustedRanges(of: 1001) == [], "longer than the whole: another file")
        record.boot = "another"
        #expect(record.trustedRanges(of: 1000) == [0..<5, 500..<550])
        #expect(record.trustedBytes(of: 1000) == 55)
        record.boot = nil
        #expect(record.trustedBytes(of: 1000) == 55)
    }

    @Test(.rows("S1-31"))
    func `synced bytes stay synced when a part gets gaps, and when it has none left`() {
        var record = record
        record.durable = 70
        record.goOn(beside: [0..<60], of: 1000)
        #expect(record.ranges == StoredRanges(durable: [0..<60], arrived: [0..<60]))
        record.ranges?.arrived = [0..<400]
        record.goOn(from: 400, of: 1000)
        #expect(record.ranges == nil && record.durable == 60)

        record.goOn(beside: [0..<60, 70..<90], of: 1000)
        record.ranges?.durable = [70..<90]
        record.goOn(from: 60, of: 1000)
        #expect(record.durable == 0)
    }

    // MARK: Another request

    @Test(
        .rows("S1-31"),
        arguments: ["http://h/f", "https://h/F", "https://h/f?", "https://g/f", "https://h:444/f"])
    func `a record is of one URL, with its scheme, host and query`(url: String) throws {
        #expect(record.condition(of: try HTTPRequest(url)) == nil)
    }

    @Test(.rows("S1-31"))
    func `an entity tag tells negotiated representations apart, a date does not`() throws {
        let plain = request
        let german = request.header(.acceptLanguage, "de")
        #expect(record.condition(of: german) != nil)
        let dated = try Self.record(plain, Self.dated)
        #expect(dated.condition(of: plain) != nil)
        #expect(dated.condition(of: german) == nil)
        #expect(dated.condition(of: request.header(.accept, "text/plain")) == nil)
        #expect(dated.condition(of: request.header(.acceptEncoding, "gzip")) == nil)
        #expect(dated.condition(of: request.header(.authorization, "Bearer x")) != nil)
    }
}
