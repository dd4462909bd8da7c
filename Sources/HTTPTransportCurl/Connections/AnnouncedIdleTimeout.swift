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

    /// Returns the time after which an idle connection is not used any more, in nanoseconds: 2 s
    /// before the server closes it, or at half of its time. A server can only shorten the
    /// transport's own limit.
    ///
    /// - Parameter own: The transport's limit, in seconds.
    static func limit(_ announced: Int?, atMost own: Int) -> Int64 {
        let second: Int64 = 1_000_000_000
        let longest = Int64(own) * second
        guard let announced else { return longest }
        let whole = min(Int64(announced), 1 << 32) * second
        return min(longest, max(whole / 2, whole - 2 * second))
    }
}
