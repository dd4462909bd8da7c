import HTTPMiddleware

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The units of rates in the server: one key for each rate and key, one script for each question.
final class RedisRateStore: HTTPRateStore {
    private let connection: RedisConnection
    private let namespace: String

    init(_ connection: RedisConnection, _ namespace: String) {
        self.connection = connection
        self.namespace = namespace
    }

    func admit(_ request: HTTPRateRequest) async throws -> HTTPRateAdmission {
        let units = [request.units.lowerBound, request.units.upperBound]
        let patience = min(request.patience.microseconds, 1e15)
        let reply =
            switch request.rate.law {
            case .tokenBucket(let burst):
                try await connection.run(
                    .takeTokens, keys: [key(request)],
                    [request.rate.microsecondsPerUnit.data, burst.data] + units.map(\.data)
                        + [patience.data])
            case .slidingWindow:
                try await connection.run(
                    .takeWindow, keys: [key(request)],
                    [request.rate.period.microseconds.data, request.rate.limit.data]
                        + units.map(\.data) + [patience.data])
            }
        guard let values = reply.array, values.count == 2, let units = values[0].integer,
            let wait = values[1].integer
        else { throw HTTPRedisError.unexpectedReply }
        let duration = Duration.microseconds(max(0, wait))
        return units == 0
            ? .refused(retryAfter: duration) : .admitted(units: Int(units), after: duration)
    }

    func refund(_ units: Int, of request: HTTPRateRequest) async throws {
        switch request.rate.law {
        case .tokenBucket:
            _ = try await connection.run(
                .refundTokens, keys: [key(request)],
                [request.rate.microsecondsPerUnit.data, units.data])
        case .slidingWindow:
            _ = try await connection.run(.refundWindow, keys: [key(request)], [units.data])
        }
    }

    private func key(_ request: HTTPRateRequest) -> Data {
        let law = if case .slidingWindow = request.rate.law { "w" } else { "b" }
        return Data("\(namespace):{\(law):\(request.key)}".utf8)
    }
}

extension HTTPRate {
    fileprivate var microsecondsPerUnit: Double { period.microseconds / Double(limit) }
}

extension Duration {
    var microseconds: Double { self / .microseconds(1) }
}

extension Double {
    /// The number as the server reads it.
    var data: Data { Data("\(self)".utf8) }
}

extension Int {
    var data: Data { Data("\(self)".utf8) }
}
