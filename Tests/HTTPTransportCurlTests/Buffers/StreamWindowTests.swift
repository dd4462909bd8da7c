import Testing

@testable import HTTPTransportCurl

@Suite struct StreamWindowTests {
    /// The sizes that a window gets while `count` pieces of 1 MiB come.
    private static func changes(_ window: inout StreamWindow, _ count: Int) -> [Int] {
        (0..<count).compactMap { _ in window.receive(1 << 20) }
    }

    @Test func `a reader that keeps up gets a wide window, once`() {
        var window = StreamWindow()
        #expect(Self.changes(&window, 15) == [])
        #expect(window.receive(1 << 20) == StreamWindow.wide)
        #expect(Self.changes(&window, 100) == [])
    }

    @Test func `a pause begins anew`() {
        var window = StreamWindow()
        for _ in 0..<10 {
            #expect(Self.changes(&window, 15) == [])
            window.pause()
        }
        #expect(Self.changes(&window, 16) == [StreamWindow.wide])
        window.pause()
        #expect(Self.changes(&window, 15) == [])
    }

    @Test(arguments: [0, -1, .min, .max]) func `no count traps`(count: Int) {
        var window = StreamWindow()
        for _ in 0..<3 { _ = window.receive(count) }
        #expect(window.receive(.max) == (count == .max ? nil : StreamWindow.wide))
    }
}
