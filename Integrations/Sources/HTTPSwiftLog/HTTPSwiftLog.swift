// A bridge from HTTPClientKit to swift-log. This file can be copied into another program.

public import HTTPClientKit
public import Logging

extension HTTPLogging {
    /// Creates a middleware that writes what is sent and received to a logger:
    /// `client.deriving { $0.logging = HTTPLogging(logger: logger) }`.
    ///
    /// Each record has a fixed message, such as "HTTP response", and its values as metadata: see
    /// ``HTTPMiddleware/HTTPLogRecord/metadata``. Metadata is made only if the logger is at that
    /// level. The middleware costs what ``HTTPMiddleware/HTTPLogging`` costs, also if the logger
    /// drops all.
    ///
    /// - Parameters:
    ///   - detail: The detail of the records. Fields and bodies are metadata, too.
    ///   - bodyLimit: The number of bytes of a body that are shown, at the detail `body`.
    ///   - logger: The logger. Metadata that it has already is kept.
    ///   - level: The level of ordinary records.
    ///   - failureLevel: The level of an exchange or a body that has failed. A status of 4xx or 5xx
    ///     is an ordinary record.
    public init(
        _ detail: Level = .basic, bodyLimit: Int = 4 << 10, logger: Logger,
        at level: Logger.Level = .debug, failuresAt failureLevel: Logger.Level = .warning
    ) {
        self.init(records: detail, bodyLimit: bodyLimit) { record in
            logger.log(
                level: record.isFailure ? failureLevel : level, "HTTP \(record.event.rawValue)",
                metadata: record.metadata)
        }
    }
}

extension HTTPLogRecord {
    /// The values of the record, with the names that ``HTTPMiddleware/HTTPLogRecord/logfmt`` has:
    /// `call`, `exchange`, `method`, `url`, `status`, `duration_ms`, `body_bytes`, `body_end`,
    /// `error_type`, `error`, `body`, and `header.NAME` for each field, with an array if a field
    /// comes more than once. Values are one line each, and control no terminal: many log handlers
    /// write them as they are.
    public var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "call": "\(callID)", "exchange": "\(exchange)", "method": "\(method)",
            "url": "\(url.escapingControls())",
        ]
        metadata["status"] = status.map { "\($0.code)" }
        metadata["duration_ms"] = duration.map { "\(Double(microseconds(of: $0)) / 1000)" }
        metadata["body_bytes"] = bodyBytes.map { "\($0)" }
        metadata["body_end"] = bodyEnd.map { "\($0.rawValue)" }
        metadata["error_type"] = errorType.map { "\($0)" }
        metadata["error"] = error.map { "\($0.escapingControls())" }
        metadata["body"] = body.map { "\($0.escapingControls())" }
        for (name, fields) in Dictionary(grouping: headers ?? [], by: { $0.name.lowercased() }) {
            let values = fields.map { Logger.MetadataValue.string($0.value.escapingControls()) }
            let key = "header.\(name.escapingControls())"
            metadata[key] = values.count == 1 ? values[0] : .array(values)
        }
        return metadata
    }

    private func microseconds(of duration: Duration) -> Int64 {
        Int64(duration / .microseconds(1))
    }
}
