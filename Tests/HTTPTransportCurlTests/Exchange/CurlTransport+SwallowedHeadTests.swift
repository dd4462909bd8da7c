import HTTPCore
import HTTPTesting
import TestSupport
import Testing

@testable import HTTPTransportCurl

/// Heads of which libcurl may hand over less than has come.
@Suite(.timeLimit(.minutes(5))) struct CurlTransportSwallowedHeadTests {
    @Test(arguments: [
        ("a NUL at the start of a line", ["200 OK\r\nContent-Length: 0\r\n\0X: 1\r\n", "\r\n"]),
        ("a NUL in a name", ["200 OK\r\nContent-Length: 0\r\nX\0: 1\r\n", "\r\n"]),
        ("a NUL in a value", ["200 OK\r\nContent-Length: 0\r\nX: \0\r\n", "\r\n"]),
        ("a NUL in the reason", ["200 O\0K\r\nContent-Length: 0\r\n", "\r\n"]),
        ("a NUL before the end", ["200 OK\r\nContent-Length: 0\r\n", "\0\r\n\r\n"]),
    ])
    func `a head that is not handed over whole is no response`(
        name: String, pieces: [String]
    ) async throws {
        let pieces = pieces.map { Array($0.utf8) }
        let differences = LibcurlDifference.reasons(
            .head, in: try CurlLibrary.loaded.get().number)
        // Long enough for the library to read the pieces one by one.
        try await patiently(from: .milliseconds(50)) { pause in
            let server = try LoopbackServer(scripts: [
                [
                    .awaitHead,
                    .drip([Array("HTTP/1.1 ".utf8) + pieces[0], pieces[1]], every: pause),
                    .close,
                ]
            ])
            let outcome: HTTPError.Code?
            do {
                _ = try await CurlTransport().response(for: server.url).data()
                outcome = nil
            } catch let error as HTTPError {
                outcome = error.code
            }
            if differences[name] != nil, let outcome { throw TooSoon(outcome) }
            #expect((outcome == nil) == (differences[name] != nil), "\(name)")
        }
    }
}
