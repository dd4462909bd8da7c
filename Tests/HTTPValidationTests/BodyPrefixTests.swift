import HTTPCore
import HTTPFormats
import HTTPTesting
import Testing
@testable import HTTPValidation
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct BodyPrefixTests {
    private let clock = HTTPTestClock()
    private let ends = Journal<HTTPBodyEnd>()

    private func prefix(of pieces: Pieces, upTo limit: Int) async throws -> String {
        let body = HTTPBody(source: pieces)
        body.whenEnded { [ends] in ends.add($0) }
        let response = HTTPResponse(.notFound, body: body, to: try .test(clock: clock))
        let prefix = try await response.bodyPrefix(upTo: limit, on: clock)
        return String(decoding: prefix, as: UTF8.self)
    }

    @Test func `a body is read up to the limit and no further`() async throws {
        #expect(try await prefix(of: Pieces("abc", "def"), upTo: 4) == "abcd")
        #expect(try await prefix(of: Pieces("abc", "def"), upTo: 100) == "abcdef")
        #expect(try await prefix(of: Pieces("abc"), upTo: 0) == "")
    }

    @Test func `of a body that breaks, what had come is kept`() async throws {
        #expect(try await prefix(of: Pieces("abc", end: .broken(MyError())), upTo: 100) == "abc")
    }

    @Test func `a body that does not come is not waited for`() async throws {
        let pieces = Pieces("abc", end: .never)
        async let text = prefix(of: pieces, upTo: 100)
        try await pieces.isRead.wait()
        try await clock.waitForSleepers(1)
        try #require(clock.nextDeadline == clock.now + .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(try await text == "abc")
        #expect(ends.count == 1)
    }

    /// A source whose `discard()` waits until the source is abandoned.
    private final class Endless: HTTPBodySource {
        private let isGivenUp = Gate()
        let isDiscarded = Gate()
        func next() async throws -> Data? { Data("abc".utf8) }
        func abandon() { isGivenUp.open() }
        func discard() async {
            isDiscarded.open()
            await isGivenUp.waitIgnoringCancellation()
        }
    }

    @Test func `nor is a rest that does not end`() async throws {
        let source = Endless()
        let response = HTTPResponse(
            .notFound, body: HTTPBody(source: source), to: try .test(clock: clock))
        async let prefix = response.bodyPrefix(upTo: 2, on: clock)
        try await source.isDiscarded.wait()
        try await clock.waitForSleepers(1)
        try #require(clock.nextDeadline == clock.now + .seconds(5))
        clock.advance(by: .seconds(5))
        #expect(try await prefix.count == 2)
    }

    @Test func `cancelling ends the wait`() async throws {
        let pieces = Pieces(end: .never)
        let task = Task { try await prefix(of: pieces, upTo: 100) }
        try await clock.waitForSleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ends.count == 1)
    }
}
