import HTTPClientKit
import Logging

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A log handler that prints one line for each event: the level, the message, and the metadata as
/// pairs. A service manager adds the time.
struct LogLines: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(level: Logger.Level) { logLevel = level }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }
        let pairs = values.sorted { $0.key < $1.key }.map { key, value in
            let text = "\(value)".escapingControls()
            let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
            let quoted = text.replacing("\"", with: "\\\"")
            return isPlain ? "\(key)=\(text)" : "\(key)=\"\(quoted)\""
        }
        let message = "\(event.message)".escapingControls()
        print(([event.level.rawValue, message] + pairs).joined(separator: " "))
        fflush(nil)  // a pipe would keep lines back
    }
}
