import HTTPCore

/// Cases about the reports of a transport to the call and its observer.
enum ReportCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = [
        Case(.reports, "an observer is told of queueing, sending, head and end, in order") {
            exam, server in
            let log = EventLog()
            let request = try HTTPRequest(.get, server.url("/")).beginningCall(observer: log)
            _ = try await exam.session.response(for: request).data()
            try await log.hasEnded.reached()
            try exam.expect(
                log.names, is: ["queued", "sending 1", "head", "ended"], "the events")
        },
        Case(.reports, "an observer is told once of a failure") { exam, server in
            server.enqueue([.close])
            let log = EventLog()
            let request = try HTTPRequest(.get, server.url("/")).beginningCall(observer: log)
            let error = try await exam.expectError(.connectionLost) {
                _ = try await exam.session.response(for: request)
            }
            try exam.expect(log.names, is: ["queued", "sending 1", "failed"], "the events")
            try exam.expect(error.attempt, is: 1, "the error's attempt")
        },
        Case(.reports, "an observer is told of interim responses") { exam, server in
            server.enqueue([
                .send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
            ])
            let log = EventLog()
            let request = try HTTPRequest(.get, server.url("/")).beginningCall(observer: log)
            _ = try await exam.session.response(for: request).data()
            try await log.hasEnded.reached()
            try exam.expect(
                log.names, is: ["queued", "sending 1", "103", "head", "ended"], "the events")
        },
        Case(.reports, "an observer is told that a body was given up") { exam, server in
            server.enqueue(.half + [.stall])
            let log = EventLog()
            let request = try HTTPRequest(.get, server.url("/")).beginningCall(observer: log)
            do {
                _ = try await exam.session.response(for: request)
            }
            try await exam.expectDeparture(server)
            try await log.hasEnded.reached()
            try exam.expect(
                log.names, is: ["queued", "sending 1", "head", "ended"], "the events")
        },
        Case(.reports, "a call counts its sends") { exam, server in
            let request = try HTTPRequest(.get, server.url("/")).beginningCall()
            for sends in 1...3 {
                _ = try await exam.session.response(for: request).data()
                try exam.expect(request.call?.sends, is: sends, "sends")
            }
        },
        Case(.reports, "a refused request is no send") { exam, server in
            var request = try HTTPRequest(.get, server.url("/")).beginningCall()
            request.headers[.contentLength] = "5"
            let refused = request
            try await exam.expectError(.invalidRequest) {
                _ = try await exam.session.response(for: refused)
            }
            try exam.expect(request.call?.sends, is: 0, "sends")
        },
        Case(.reports, "the timeline has the exchange, to its last byte") { exam, server in
            let response = try await exam.get(server)
            _ = try await response.data()
            let exchanges = response.timeline.exchanges
            try exam.expect(exchanges.count, is: 1, "exchanges")
            let exchange = try exam.some(exchanges.first, "the exchange")
            let first = try exam.some(exchange.firstByte, "the first byte's time")
            let last = try exam.some(exchange.lastByte, "the last byte's time")
            try exam.expect(first <= last, "the last byte came before the first")
            try exam.expect(exchange.decodedBodyBytes, is: 4, "bytes of the body")
        },
    ]

    /// An observer that collects the names of events, without `sent`.
    private final class EventLog: HTTPObserver {
        /// Reached at each end of a body.
        let hasEnded = LoopbackGate()
        private let seen = Locked<[String]>([])
        var names: [String] { seen.withLock { $0 } }

        func observe(_ event: HTTPEvent) {
            let name: String? =
                switch event.kind {
                case .queued: "queued"
                case .sending: "sending \(event.exchange ?? 0)"
                case .informational(let head): "\(head.status.code)"
                case .head: "head"
                case .ended: "ended"
                case .failed: "failed"
                default: nil
                }
            if let name { seen.withLock { $0.append(name) } }
            if name == "ended" { _ = hasEnded.arrive {} }
        }
    }
}
