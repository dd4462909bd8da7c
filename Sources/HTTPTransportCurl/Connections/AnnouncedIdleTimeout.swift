import HTTPCore

/// The idle timeout that a server announces with `Keep-Alive: timeout=5` (RFC 2068 §19.7.1.1).
enum AnnouncedIdleTimeout {
    /// Returns the seconds that a field announces, or `nil` if it announces none.
    static func seconds(in field: String) -> Int? {
        for parameter in field.split(separator: ",") {
            let parts = parameter.split(separator: "=", maxSplits: 1).map {
                $0.filter { $0 != " " && $0 != "\t" }
            }
            if parts.count == 2, parts[0].lowercased() == "timeout", let seconds = Int(parts[1]),
                seconds >= 0
            {
                return seconds
            }
        }
        return nil
    }

    /// Returns the seconds after which an idle connection is not used any more: a moment before the
    /// server closes it. A server can only shorten the transport's own limit.
    static func limit(_ announced: Int?, atMost own: Int) -> Int {
        guard let announced else { return own }
        // 0 would mean no limit.
        return max(1, min(own, announced.subtracting(clamped: 2)))
    }
}
