/// A measured comparison as a Markdown table.
struct Table: CustomStringConvertible {
    let name: String
    let measurement: Measurement

    var description: String {
        let isRate = measurement.rows.contains { $0.benchmark.unit.isBytes }
        var lines = [
            "| \(name) | \(isRate ? "MB/s" : "ns"), median | min–max | CPU, ratio to the first |",
            "|---|--:|--:|--:|",
        ]
        for row in measurement.rows {
            let figures = row.seconds.map { row.benchmark.unit.figure(secondsPerPass: $0) }
            let range =
                "\(figures.min().map(Self.number) ?? "")–\(figures.max().map(Self.number) ?? "")"
            lines.append(
                "| \(row.benchmark.name) | \(Self.number(figures.median)) | \(range) "
                    + "| \(Self.ratio(row.ratios.median)) |")
        }
        return lines.joined(separator: "\n")
    }

    private static func number(_ value: Double) -> String {
        value >= 100 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
    }

    private static func ratio(_ value: Double) -> String {
        "\((value * 100).rounded() / 100)"
    }
}

extension Benchmark.Unit {
    fileprivate var isBytes: Bool {
        if case .bytes = self { true } else { false }
    }

    fileprivate func figure(secondsPerPass seconds: Double) -> Double {
        switch self {
        case .operations: seconds / amount * 1e9
        case .bytes: amount / seconds / 1e6
        }
    }
}
