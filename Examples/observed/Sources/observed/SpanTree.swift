import HTTPClientKit
import InMemoryTracing
import Tracing

/// The spans of some traces as lines, each under its parent, with durations and attributes.
struct SpanTree: CustomStringConvertible {
    private let spans: [FinishedInMemorySpan]
    private static let attributes = [
        "url.full", "http.request.resend_count", "http.response.status_code", "error.type",
    ]

    init(_ spans: [FinishedInMemorySpan]) {
        self.spans = spans.sorted {
            $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch
        }
    }

    var description: String { lines(under: nil, indent: "span ").joined(separator: "\n") }

    private func lines(under parent: String?, indent: String) -> [String] {
        spans.filter { $0.parentSpanID == parent }.flatMap { span in
            let end = span.endInstant.nanosecondsSinceEpoch
            let length = Double(end - span.startInstant.nanosecondsSinceEpoch) / 1e6
            var values: [String: String] = [:]
            span.attributes.forEach { name, value in values[name] = text(of: value) }
            let shown = Self.attributes.compactMap { name in values[name].map { "\(name)=\($0)" } }
            let line = [span.operationName, "\(length.tenths) ms"] + shown
            return [indent + line.joined(separator: " ")]
                + lines(under: span.spanID, indent: indent + "  ")
        }
    }

    private func text(of attribute: SpanAttribute) -> String {
        switch attribute {
        case .int32(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .string(let value): value.escapingControls()
        case .stringConvertible(let value): "\(value)".escapingControls()
        default: "…"
        }
    }
}
