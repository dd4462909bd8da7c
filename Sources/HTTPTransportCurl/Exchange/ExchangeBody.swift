import CHTTPTransportCurl
import HTTPCodings
import HTTPCore
import PortableFoundation

/// The body of a response. It reads from the exchange, and its errors carry the response's head.
final class ExchangeBody: HTTPBodySource {
    private let exchange: Exchange
    private let head: HTTPResponse.Head

    init(_ exchange: Exchange, _ head: HTTPResponse.Head) {
        self.exchange = exchange
        self.head = head
    }

    func next() async throws -> Data? {
        do {
            return try await exchange.next()
        } catch let error as HTTPError {
            throw exchange.ended(error, head)
        }
    }

    func write(toDescriptor descriptor: Int32, at offset: Int64) async throws -> Int64 {
        // Reserves space for a body of known length, so that a full disk is found early.
        if let length = head.headers[.contentLength].flatMap({ Int64($0) }), length >= 1 << 20 {
            let failure = chttp_reserve(descriptor, offset, length)
            if failure != 0 {
                exchange.abandon()
                throw HTTPError(
                    .fileNotWritten,
                    "there is no room for a body of \(length) bytes: \(SystemError(failure))",
                    phase: .receiving, mayHaveReachedServer: true,
                    underlyingError: SystemError(failure))
            }
        }
        do {
            return try await exchange.write(toDescriptor: descriptor, at: offset)
        } catch let error as HTTPError {
            throw exchange.ended(error, head)
        }
    }

    func abandon() { exchange.abandon() }
    func discard() async { await exchange.discard() }
    var trailers: HTTPHeaders? { exchange.trailers }
}

extension ExchangeBody: CodedExchange {
    func decoded(_ count: Int64) { exchange.record.update { $0.decodedBodyBytes = count } }
    func ended(_ end: HTTPBodyEnd) { exchange.endedDecoding(end) }
    func overdue() -> HTTPError? { exchange.overdue() }
    func completed(_ error: HTTPError) -> HTTPError { exchange.ended(error, head) }
}

extension Exchange {
    /// Returns the error of a limit of the whole exchange that has passed.
    func overdue() -> HTTPError? {
        func hasPassed(_ limit: Duration?) -> Bool {
            limit.map { chttp_monotonic_ns() - submitted >= $0.nanoseconds } ?? false
        }
        let name: HTTPError.Timer.Name? =
            hasPassed(limits.deadline) ? .deadline : hasPassed(limits.total) ? .total : nil
        return name.map {
            limits.timedOut($0, phase: .receiving, mayHaveReachedServer: true)
        }
    }

    /// Returns the error as the caller sees it, with the exchange that it ended.
    func ended(_ error: HTTPError, _ head: HTTPResponse.Head? = nil) -> HTTPError {
        let record = self.record.exchange
        return error.ending(
            request, attempt: request.call == nil ? nil : attempt, elapsed: record.lastByte,
            timeline: request.call?.timeline ?? HTTPTimeline(exchanges: [record]), response: head)
    }
}
