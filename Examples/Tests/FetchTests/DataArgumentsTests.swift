import ArgumentParser
import HTTPClientKit
import Testing

@testable import fetch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct DataArgumentsTests {
    private func request(_ arguments: String...) throws -> HTTPRequest {
        try Fetch.command(["http://h/p?x=1#f"] + arguments).request.makeRequest()
    }

    private func text(_ request: HTTPRequest) -> String? {
        request.body.bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `data is joined in the order of the command line`() throws {
        let request = try request(
            "-d", "z=1", "--data-urlencode", "a=1 2", "--data-raw", "@b", "-d", "c",
            "--data-binary",
            "d")
        #expect(request.method == .post)
        #expect(text(request) == "z=1&a=1+2&@b&c&d")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func `data can go into the query`() throws {
        let request = try request("-G", "-d", "q=1", "--data-urlencode", "r=a b")
        #expect(request.method == .get && request.body.isEmpty)
        #expect(request.url.absoluteString == "http://h/p?x=1&q=1&r=a+b#f")
        #expect(request.headers[.contentType] == nil)
    }

    @Test func `JSON is joined, and its type can be replaced`() throws {
        let request = try request(
            "--json", "[1,", "--json", "2]", "-H", "accept: text/plain", "-X", "PATCH")
        #expect(request.method == .patch)
        #expect(text(request) == "[1,2]")
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.headers[values: .accept] == ["text/plain"])
    }

    @Test func `a field that is removed is not sent`() throws {
        let request = try request(
            "-d", "a", "-H", "Content-Type:", "-H", "Accept:", "-A", "", "-H", "X-Empty;")
        #expect(request.headers.map(\.description) == ["X-Empty: "])
    }

    @Test(arguments: [
        ["-d", "a", "--json", "1"], ["-F", "a=1", "-d", "a"], ["-T", "f", "-d", "a"],
        ["-G", "-F", "a=1"], ["-I", "-d", "a"], ["-d", "@-", "-d", "@-"],
        ["-d", "@-", "-w", "@-"], ["-T", "-", "--compare"], ["-C", "-", "-d", "a"],
    ])
    func `options that contradict each other are refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try Fetch.command(["http://h/"] + arguments) }
    }

    @Test(arguments: [
        ["-H", "A: b\r\nX: y"], ["-H", "A\n: b"], ["-A", "a\nb"], ["-e", "a\r\nb"], ["-r", "1\n2"],
        ["-X", "GET /x HTTP/1.1\r\nA: b\r\n"], ["-b", "a=b\r\nX: y"], ["-H", "A b: c"],
        ["--oauth2-bearer", "a\nb"], ["-H", "no colon"],
    ])
    func `a line end never becomes a field, and errors do not quote values`(
        arguments: [String]
    ) async throws {
        let command = try Fetch.command(["http://127.0.0.1:9/", "-s"] + arguments)
        let error = await #expect(throws: ExitCode.self) { try await command.run() }
        #expect(error?.rawValue == 3)
    }
}
