import HTTPClientKit
import Testing

@testable import fetch

@Suite struct PaletteTests {
    @Test func `only the bars of a waterfall have colours`() {
        var exchange = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: .zero))
        exchange.connected = .milliseconds(1)
        exchange.lastByte = .milliseconds(2)
        let drawing = HTTPTimeline(exchanges: [exchange]).waterfall(width: 8)
        #expect(Palette.plain.paint(waterfall: drawing) == drawing)
        let painted = Palette.coloured.paint(waterfall: drawing)
        #expect(painted.contains("|\u{1B}[34m████\u{1B}[0m    |"))
        #expect(painted.contains("|    \u{1B}[32;1m████\u{1B}[0m|"))
        #expect(painted.split(separator: "\n").first == drawing.split(separator: "\n").first)
    }

    @Test func `there are colours only on a terminal that wants them`() {
        func paints(_ palette: Palette) -> Bool { palette.paint("x", .name) != "x" }
        #expect(!paints(.of(isTerminal: false, noColor: false)))
        #expect(!paints(.of(isTerminal: true, noColor: true)))
    }
}
