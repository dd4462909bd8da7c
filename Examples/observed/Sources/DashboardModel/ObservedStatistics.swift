import HTTPClientKit
package import HTTPTransportCurl

/// The counts of a transport by origin, as the page shows them.
package struct ObservedStatistics: Encodable, Equatable, Sendable {
    /// The limit on origins with a line of their own.
    package static let limit = 50

    package var origins: [Line] = []
    package var openSockets = 0

    /// The counts of an origin.
    package struct Line: Encodable, Equatable, Sendable {
        package var origin: String
        package var active = 0
        package var waiting = 0
        package var open = 0
        package var idle = 0
        package var ended = 0
        package var opened = 0
        package var reused = 0

        /// The share of the exchanges that used a kept connection; `nil` before the first.
        package var reusedShare: Double? {
            opened + reused > 0 ? Double(reused) / Double(opened + reused) : nil
        }

        package init(origin: String) { self.origin = origin }

        package func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(origin, forKey: .origin)
            try values.encode(active, forKey: .active)
            try values.encode(waiting, forKey: .waiting)
            try values.encode(open, forKey: .open)
            try values.encode(idle, forKey: .idle)
            try values.encode(ended, forKey: .ended)
            try values.encodeIfPresent(reusedShare, forKey: .reusedShare)
        }

        private enum CodingKeys: String, CodingKey {
            case origin, active, waiting, open, idle, ended, reusedShare
        }
    }

    package init() {}

    package init(_ statistics: CurlStatistics) {
        self.init(
            statistics.origins.map { origin, counts in
                var line = Line(origin: "\(origin)")
                line.active = counts.active
                line.waiting = counts.waiting
                line.open = counts.open
                line.idle = counts.idle
                line.ended = counts.ended
                line.opened = counts.opened
                line.reused = counts.reused
                return line
            })
        openSockets = statistics.openSockets
    }

    /// Sorts the lines by name. Beyond the limit, the busiest have lines of their own, and a last
    /// line has the sums of all others.
    package init(_ lines: [Line]) {
        let busiest = lines.sorted { ($0.active, $0.ended) > ($1.active, $1.ended) }
        origins = busiest.prefix(Self.limit).sorted { $0.origin < $1.origin }
        let others = busiest.dropFirst(Self.limit)
        guard !others.isEmpty else { return }
        origins.append(
            others.reduce(into: Line(origin: "\(others.count) others")) { sum, line in
                sum.active += line.active
                sum.waiting += line.waiting
                sum.open += line.open
                sum.idle += line.idle
                sum.ended += line.ended
                sum.opened += line.opened
                sum.reused += line.reused
            })
    }
}
