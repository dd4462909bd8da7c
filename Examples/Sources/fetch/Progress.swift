/// The progress of a download: a bar on a terminal, occasional plain lines elsewhere.
struct Progress {
    private let expected: Int64?
    /// The number of bytes from before this run.
    private let offset: Int64
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var shown: ContinuousClock.Instant
    private var count: Int64 = 0

    /// - Parameters:
    ///   - expected: The length in bytes, if the response has one.
    ///   - offset: Bytes from before this run, which do not count for the rate.
    init(expected: Int64?, from offset: Int64 = 0) {
        self.expected = expected
        self.offset = offset
        self.start = clock.now
        self.shown = start
    }

    /// Shows the progress, unless it was shown a moment ago.
    mutating func advance(to count: Int64) {
        self.count = count
        guard clock.now - shown >= (Terminal.isInteractive ? .milliseconds(100) : .seconds(1))
        else {
            return
        }
        shown = clock.now
        show()
    }

    /// Shows the final progress.
    func finish() {
        show()
        stop()
    }

    /// Leaves the bar as it is and moves to the next line.
    func stop() { if Terminal.isInteractive { Terminal.write("\n") } }

    private func show() {
        let line = Self.line(
            count: count, from: offset, expected: expected, elapsed: clock.now - start)
        if Terminal.isInteractive {
            Terminal.write("\r\u{1B}[K" + line)
        } else {
            Terminal.say(line)
        }
    }

    /// `[=====>    ]  52 %  33.3 MiB of 64.0 MiB  80.1 MiB/s  0:01 left`
    static func line(
        count: Int64, from offset: Int64 = 0, expected: Int64?, elapsed: Duration
    ) -> String {
        let rate = Double(count - offset) / max(elapsed / .seconds(1), 0.001)
        var parts: [String] = []
        if let expected, expected > 0 {
            let share = min(Double(count) / Double(expected), 1)
            parts.append(bar(share, width: 24))
            parts.append("\(Int(share * 100)) %")
            parts.append("\(size(Double(count))) of \(size(Double(expected)))")
        } else {
            parts.append(size(Double(count)))
        }
        parts.append("\(size(rate))/s")
        if let expected, count < expected, rate >= 1 {
            parts.append("\(time(Double(expected - count) / rate)) left")
        } else {
            parts.append("in \(time(elapsed / .seconds(1)))")
        }
        return parts.joined(separator: "  ")
    }

    private static func bar(_ share: Double, width: Int) -> String {
        let done = Int(share * Double(width))
        let head = done < width ? ">" : ""
        let rest = String(repeating: " ", count: max(0, width - done - 1))
        return "[" + String(repeating: "=", count: done) + head + rest + "]"
    }

    /// `512 B`, `33.3 MiB`
    private static func size(_ bytes: Double) -> String {
        var value = bytes
        var units = ["B", "KiB", "MiB", "GiB", "TiB"][...]
        while value >= 1024, units.count > 1 {
            value /= 1024
            units.removeFirst()
        }
        let number = units.startIndex == 0 ? "\(Int(value))" : "\((value * 10).rounded() / 10)"
        return "\(number) \(units.first ?? "")"
    }

    /// `0.4 s`, `1:05 min`, `2:00 h`
    private static func time(_ seconds: Double) -> String {
        if seconds < 60 { return "\((seconds * 10).rounded() / 10) s" }
        let (whole, unit) = seconds < 3600 ? (Int(seconds), "min") : (Int(seconds / 60), "h")
        return "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60) \(unit)"
    }
}
