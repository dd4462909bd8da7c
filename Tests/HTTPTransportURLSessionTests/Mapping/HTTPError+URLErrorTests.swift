import Foundation
import HTTPCore
import TestSupport
import Testing

@testable import HTTPTransportURLSession

@Suite struct HTTPErrorURLErrorTests {
    struct Case: Sendable {
        var code: Int
        var reason = ""
        var hasHead = false
        var expected: HTTPError.Code
        var reached: Bool
    }

    // MARK: Errors

    @Test(
        .rows("S0-27", "S3-3"),
        arguments: [
            Case(code: -1003, expected: .nameNotResolved, reached: false),
            Case(code: -1004, expected: .cannotConnect, reached: false),
            Case(code: -1001, expected: .cannotConnect, reached: false),
            Case(code: -1005, expected: .connectionLost, reached: true),
            Case(code: -1005, hasHead: true, expected: .bodyIncomplete, reached: true),
            Case(code: -1011, expected: .connectionLost, reached: true),
            Case(code: -1002, expected: .protocolViolation, reached: true),
            Case(code: -1200, expected: .tlsFailed, reached: false),
            Case(code: -1202, expected: .serverNotTrusted, reached: false),
            Case(
                code: -1, reason: "transfer closed with 7 bytes remaining to read", hasHead: true,
                expected: .bodyIncomplete, reached: true),
            Case(
                code: -1,
                reason: "Illegal or missing hexadecimal sequence in chunked-encoding",
                hasHead: true,
                expected: .protocolViolation, reached: true),
            Case(
                code: -1, reason: "SSL certificate problem: self-signed certificate",
                expected: .serverNotTrusted, reached: false),
            Case(
                code: -1, reason: "error:0A00010B:SSL routines::wrong version number",
                expected: .tlsFailed, reached: false),
            // 7.88.1, 8.14.1, 8.21.0.
            Case(
                code: -1,
                reason: "Failed to connect to h port 80 after 0 ms: Couldn't connect to server",
                expected: .cannotConnect, reached: false),
            Case(
                code: -1,
                reason: "Failed to connect to h port 80 after 0 ms: Could not connect to server",
                expected: .cannotConnect, reached: false),
            Case(
                code: -1,
                reason: "Failed to connect to h:80 after 0 ms: Could not connect to server",
                expected: .cannotConnect, reached: false),
            Case(
                code: -1, reason: "Couldn't connect to server", expected: .cannotConnect,
                reached: false),
            Case(
                code: -1, reason: "Failure writing output to destination, passed 2 returned 0",
                expected: .protocolViolation, reached: true),
            Case(
                code: -1, reason: "Failure writing output to destination, passed 2 returned 0",
                hasHead: true, expected: .protocolViolation, reached: true),
            Case(
                code: -1, reason: "Failed writing header", expected: .protocolViolation,
                reached: true),
            Case(
                code: -1, reason: "Header without colon", hasHead: true,
                expected: .protocolViolation, reached: true),
            Case(
                code: -1,
                reason: "Error while processing content unencoding: incorrect header check",
                hasHead: true, expected: .contentDecodingFailed, reached: true),
            Case(
                code: -1, reason: "A libcurl function was given a bad argument",
                expected: .protocolViolation, reached: true),
            Case(
                code: -1, reason: "A libcurl function was given a bad argument", hasHead: true,
                expected: .protocolViolation, reached: true),
            Case(code: -1000, expected: .unsupportedOption, reached: false),
            Case(
                code: -1, reason: "Failed writing received data to disk/application", hasHead: true,
                expected: .contentDecodingFailed, reached: true),
            Case(code: -1, reason: "Out of memory", expected: .headersTooLarge, reached: true),
            Case(
                code: -1, reason: "A value or data field grew larger than allowed",
                expected: .headersTooLarge, reached: true),
            Case(code: -1, reason: "something new", expected: .internalFailure, reached: true),
        ])
    func `an error of URLSession is ours by code, or by libcurl's sentence`(_ row: Case) {
        let cause = NSError(
            domain: NSURLErrorDomain, code: row.code,
            userInfo: [
                NSLocalizedDescriptionKey: row.reason,
                NSURLErrorFailingURLErrorKey: "http://x/?secret=1",
            ])
        let error = HTTPError(cause, hasHead: row.hasHead, hasSent: false)
        #expect(error.code == row.expected)
        #expect(error.mayHaveReachedServer == row.reached)
        // A sentence about a head after the head has come would be false.
        if row.hasHead { #expect(!error.message.contains("head is")) }
        #expect("\(error.underlyingError.map { "\($0)" } ?? "")".contains("secret") == false)
    }
}
