import HTTPClientKit

/// The results of one request over several transports: a column for each transport, a row for each
/// property.
struct Comparison: Sendable {
    struct Answer: Sendable {
        let transport: String
        let result: Result<Received, HTTPError>
    }

    struct Received: Sendable {
        let head: HTTPResponse.Head
        let redirects: Int
        let content: Content
        let timeline: HTTPTimeline
    }

    /// A body that was read and not kept.
    struct Content: Hashable, Sendable {
        private(set) var bytes: Int64 = 0
        /// An FNV-1a hash, which distinguishes bodies that were not crafted to collide.
        private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ piece: some Sequence<UInt8>) {
            for byte in piece {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                bytes += 1
            }
        }
    }

    struct Row: Equatable, Sendable {
        let name: String
        let values: [String]
        /// A Boolean value that indicates whether a difference between the values is marked.
        let isMarked: Bool
    }

    let answers: [Answer]

    init(_ answers: [Answer]) { self.answers = answers }

    /// The first failure, or `nil` if every transport returned a response.
    var failure: HTTPError? {
        answers.lazy.compactMap { answer in
            guard case .failure(let error) = answer.result else { return nil }
            return error
        }.first
    }

    /// `true` if the status or the content differ. Fields may differ: a date changes every second.
    var differs: Bool {
        Set(received.map { $0?.head.status }).count > 1
            || Set(received.map { $0?.content }).count > 1
    }

    var rows: [Row] {
        [statusRow, row("version") { $0.head.version?.rawValue ?? "" }]
            + fieldRows
            + [
                row("redirects") { "\($0.redirects)" }, row("bytes") { "\($0.content.bytes)" },
                row("content") { String($0.content.hash, radix: 16) },
            ]
            + timeRows
    }

    private var received: [Received?] { answers.map { try? $0.result.get() } }

    private func row(
        _ name: String, isMarked: Bool = true, _ value: (Received) -> String
    ) -> Row {
        Row(name: name, values: received.map { $0.map(value) ?? "" }, isMarked: isMarked)
    }

    private var statusRow: Row {
        let values = answers.map { answer in
            switch answer.result {
            case .success(let received): "\(received.head.status)"
            case .failure(let error): "\(error.code)"
            }
        }
        return Row(name: "status", values: values, isMarked: true)
    }

    /// The rows of fields, in the order in which the fields first appear.
    private var fieldRows: [Row] {
        var names: [HTTPHeaderName] = []
        for name in received.compactMap({ $0?.head.headers.map(\.name) }).joined()
        where !names.contains(name) { names.append(name) }
        return names.map { name in
            row(name.spelling) { received in
                received.head.headers.filter { $0.name == name }
                    .map { $0.isSensitive ? "<redacted>" : $0.value }.joined(separator: ", ")
            }
        }
    }

    private var timeRows: [Row] {
        let marks: [(name: String, at: (HTTPTimeline.Exchange) -> Duration?)] = [
            ("name resolved", { $0.nameResolved }), ("connected", { $0.connected }),
            ("secured", { $0.secured }), ("first byte", { $0.firstByte }),
            ("last byte", { $0.lastByte }),
        ]
        return [row("exchanges") { "\($0.timeline.exchanges.count)" }]
            + marks.map { mark in
                row(mark.name, isMarked: false) { received in
                    received.timeline.exchanges.last.flatMap(mark.at).map(Self.milliseconds) ?? ""
                }
            }
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\((duration / .milliseconds(1) * 100).rounded() / 100) ms"
    }
}

extension Comparison: CustomStringConvertible {
    private static let width = 34

    /// The results as a table. A mark before a row shows that its values differ.
    var description: String {
        let names = rows.map(\.name.count).max() ?? 0
        let head = Row(name: "", values: answers.map(\.transport), isMarked: false)
        return ([head] + rows).map { row in
            let mark = row.isMarked && Set(row.values).count > 1 ? "≠ " : "  "
            let cells = [Self.cell(row.name, names)] + row.values.map { Self.cell($0, Self.width) }
            return mark + cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// Returns a cell of exactly this width.
    private static func cell(_ text: String, _ width: Int) -> String {
        let text = text.escapingControls()
        return text.count > width
            ? text.prefix(width - 1) + "…"
            : text + String(repeating: " ", count: width - text.count)
    }
}

extension Comparison.Answer {
    /// Sends the request over `client`, and reads the body to its end.
    ///
    /// - Throws: `CancellationError`.
    init(_ transport: String, to request: HTTPRequest, of client: HTTPClient) async throws {
        self.transport = transport
        do {
            result = .success(
                try await client.withResponse(for: request) { response in
                    var content = Comparison.Content()
                    for try await piece in response.body { content.add(piece) }
                    return Comparison.Received(
                        head: response.head, redirects: response.history.count, content: content,
                        timeline: response.timeline)
                })
        } catch let error as HTTPError {
            result = .failure(error)
        }
    }
}
