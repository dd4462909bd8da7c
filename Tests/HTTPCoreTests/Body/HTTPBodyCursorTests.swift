import TestSupport
import Testing
@testable import HTTPCore
import PortableFoundation

@Suite struct HTTPBodyCursorTests {
    private struct Refusal: Error {}

    private static func body(_ steps: [ScriptedBodySource.Step]) -> (HTTPBody, ScriptedBodySource) {
        let source = ScriptedBodySource(steps)
        return (HTTPBody(source: source, length: nil), source)
    }

    @Test func `each piece is handled before it is passed on, and the end, too`() async throws {
        let handled = Record<Data?>()
        let cursor = HTTPBodyCursor(Self.body(["a", "b"]).0)
        var pieces: [Data] = []
        while let piece = try await cursor.next({ handled.add($0) }) {
            #expect(handled.entries.last == piece)
            pieces.append(piece)
        }
        #expect(pieces == [Data("a".utf8), Data("b".utf8)])
        #expect(handled.entries == [Data("a".utf8), Data("b".utf8), nil])
    }

    @Test func `an error of the handler ends the reading, and abandons the body`() async throws {
        let (body, source) = Self.body(["a", "b"])
        let cursor = HTTPBodyCursor(body)
        await #expect(throws: Refusal.self) { _ = try await cursor.next { _ in throw Refusal() } }
        #expect(source.abandons > 0)
        await #expect(throws: HTTPError.self) { _ = try await cursor.next { _ in } }
    }

    @Test func `a body that is abandoned while a piece is handled ends`() async throws {
        let (body, source) = Self.body(["a", "b"])
        let cursor = HTTPBodyCursor(body)
        await #expect(throws: HTTPError.self) {
            _ = try await cursor.next { _ in cursor.abandon() }
        }
        #expect(source.abandons > 0)
        await #expect(throws: HTTPError.self) { _ = try await cursor.next { _ in } }
    }

    @Test func `a body that is abandoned while a piece is waited for is read no further`()
        async throws
    {
        let (reached, until) = (Gate(), Gate())
        let (body, source) = Self.body(["a", .stall(reached: reached, until: until), "b"])
        let cursor = HTTPBodyCursor(body)
        _ = try await cursor.next { _ in }
        let reading = Task { try await cursor.next { _ in } }
        await reached.waitIgnoringCancellation()
        cursor.abandon()
        until.open()
        await #expect(throws: (any Error).self) { try await reading.value }
        #expect(source.abandons > 0)
        await #expect(throws: HTTPError.self) { _ = try await cursor.next { _ in } }
    }

    @Test func `releasing the cursor abandons the rest`() async throws {
        let (body, source) = Self.body(["a", "b"])
        do {
            let cursor = HTTPBodyCursor(body)
            _ = try await cursor.next { _ in }
        }
        #expect(source.abandons > 0)
    }
}
