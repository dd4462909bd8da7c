/// Curves over time as an SVG without scripts and with its own background, so that it displays
/// everywhere.
struct Chart {
    var title: String
    var curves: [(name: String, colour: String, values: [Int])]
    /// A span of seconds to shade.
    var shaded: (from: Double, to: Double, name: String)

    private let width = 860.0
    private let height = 320.0
    private let left = 60.0
    private let top = 40.0

    var svg: String {
        let length = Double(curves.map(\.values.count).max() ?? 1)
        let greatest = Double(curves.flatMap(\.values).max() ?? 1)
        let step = [100.0, 200, 500, 1000, 2000].first { greatest / $0 <= 6 } ?? 5000
        let ceiling = (greatest / step).rounded(.up) * step
        func x(_ second: Double) -> Double { left + second / length * width }
        func y(_ value: Double) -> Double { top + height - value / ceiling * height }

        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" \
            viewBox="0 0 \(Int(width + left + 30)) \(Int(height + top + 50))" \
            font-family="sans-serif" font-size="12">
            """,
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
            "<text x=\"\(left)\" y=\"18\" font-size=\"15\">\(title)</text>",
            """
            <rect x="\(x(shaded.from).shown)" y="\(top)" \
            width="\((x(shaded.to) - x(shaded.from)).shown)" \
            height="\(height)" fill="#eee"/>
            """,
            """
            <text x="\((x(shaded.from) + 4).shown)" y="\(top + 14)" fill="#777">\
            \(shaded.name)</text>
            """,
        ]
        for value in stride(from: 0, through: ceiling, by: step) {
            lines.append(
                """
                <line x1="\(left)" x2="\(left + width)" y1="\(y(value).shown)" \
                y2="\(y(value).shown)" stroke="#ddd"/>\
                <text x="\(left - 6)" y="\((y(value) + 4).shown)" text-anchor="end">\
                \(Int(value))</text>
                """)
        }
        for second in stride(from: 0, through: length, by: 30) {
            lines.append(
                """
                <text x="\(x(second).shown)" y="\(top + height + 16)" text-anchor="middle">\
                \(Int(second)) s</text>
                """)
        }
        for (number, curve) in curves.enumerated() {
            let points = curve.values.enumerated()
                .map { "\(x(Double($0.offset)).shown),\(y(Double($0.element)).shown)" }
                .joined(separator: " ")
            lines.append(
                """
                <polyline points="\(points)" fill="none" stroke="\(curve.colour)" \
                stroke-width="1.6"/>
                """
            )
            let legend = left + Double(number) * 215
            lines.append(
                """
                <line x1="\(legend)" x2="\(legend + 18)" \
                y1="\(top + height + 34)" y2="\(top + height + 34)" \
                stroke="\(curve.colour)" stroke-width="3"/>\
                <text x="\(legend + 24)" y="\(top + height + 38)">\(curve.name)</text>
                """)
        }
        return (lines + ["</svg>\n"]).joined(separator: "\n")
    }
}

extension Double {
    /// The number with one decimal.
    var shown: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
