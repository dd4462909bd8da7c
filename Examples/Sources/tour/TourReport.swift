/// The table of results: a row per step, and per transport a column of outcomes and one of times.
struct TourReport: CustomStringConvertible {
    private let header: [String]
    private var rows: [[String]] = []
    private var good = 0

    init(transports: [String]) {
        header =
            ["what"] + transports + transports.map { "time \($0)" } + ["bytes", "verdict"]
    }

    var isGood: Bool { good == rows.count && good > 0 }

    mutating func add(_ title: String, expected: String, results: [StepResult]) {
        let outcomes = Set(results.map(\.outcome))
        let verdict =
            if outcomes == [expected] { "same" } else if outcomes.count > 1 { "DIFFERS" } else {
                "WRONG, expected: \(expected)"
            }
        if outcomes == [expected] { good += 1 }
        let bytes = Set(results.compactMap(\.bytes)).sorted().map(String.init)
        rows.append(
            [title] + results.map(\.outcome)
                + results.map { $0.seconds.map(Self.time) ?? "-" }
                + [bytes.isEmpty ? "-" : bytes.joined(separator: "/"), verdict])
    }

    var description: String {
        let table = [header] + rows
        let widths = header.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        let isNumber = { (column: Int) in column >= header.count - 4 && column < header.count - 1 }
        let lines = table.map { row in
            row.indices.map { column in
                if column == row.count - 1 { return row[column] }
                let blanks = String(repeating: " ", count: widths[column] - row[column].count)
                return isNumber(column) ? blanks + row[column] : row[column] + blanks
            }.joined(separator: "  ")
        }
        let rule = String(repeating: "-", count: widths.reduce(2 * (widths.count - 1), +))
        return ([lines[0], rule] + lines.dropFirst() + [rule, summary]).joined(separator: "\n")
    }

    private var summary: String {
        isGood
            ? "all \(rows.count) outcomes are as expected and the same over both transports"
            : "\(rows.count - good) of \(rows.count) outcomes differ or are wrong"
    }

    private static func time(_ seconds: Double) -> String {
        let tenths = (seconds * 10_000).rounded() / 10
        return "\(tenths) ms"
    }
}
