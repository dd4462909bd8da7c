import HTTPCore
import PortableFoundation
import PortableLibc

/// Answers the first request of a connection, some milliseconds later sends bytes that no request
/// asked for, and counts the requests that still come.
///
/// The client may have taken the bytes for the response to a request that was already on its way.
/// The true response to that request is then unsolicited, and its time is the one that counts.
///
/// Requests carry their number in `X-Number` and the time before they were sent in `X-Started`;
/// responses repeat the number.
final class TalkativeServer: Sendable {
    /// The framing of the response before the bytes.
    enum Form: CaseIterable { case length, empty, chunked, noContent, head }

    enum Surplus: CaseIterable {
        case response, emptyLine, byte, timeout

        var bytes: [UInt8] {
            switch self {
            case .response:
                Array("HTTP/1.1 200 OK\r\nX-Number: none\r\nContent-Length: 5\r\n\r\nwrong".utf8)
            case .emptyLine: Array("\r\n".utf8)
            case .byte: [UInt8(ascii: "x")]
            case .timeout:
                Array(
                    "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                        .utf8)
            }
        }
    }

    struct Counts {
        /// Sent later than `grace` after the bytes, on the connection that had them.
        var late: Set<Int> = []
        /// Sent before that: no client could have known.
        var races: Set<Int> = []
        /// When the server sent what nothing had asked for, on whichever connection.
        var talks: [ClosedRange<Int64>] = []
        var connections = 0
    }

    private final class Log: Sendable {
        let counts = Locked(Counts())

        /// Sends bytes and records when. Returns the time after.
        func talk(_ bytes: [UInt8], _ channel: any RawChannel) -> Int64 {
            let start = now
            let index = counts.withLock { counts in
                counts.talks.append(start...Int64.max)
                return counts.talks.count - 1
            }
            channel.write(bytes)
            let end = now
            counts.withLock { $0.talks[index] = start...end }
            return end
        }
    }

    /// A request sent within this after the bytes is a race.
    static let grace: Int64 = 5_000_000

    private let log: Log
    private let listener: RawListener

    init(_ form: Form, _ surplus: Surplus?, over tls: RawTLS? = nil) throws {
        let log = Log()
        self.log = log
        listener = try RawListener { connection in
            log.counts.withLock { $0.connections += 1 }
            // Without this, the bytes wait until the client has acknowledged the response.
            var on: Int32 = 1
            unsafe setsockopt(
                connection.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on,
                socklen_t(MemoryLayout<Int32>.size))
            guard let tls else { return Self.serve(connection, form, surplus, log) }
            if let channel = tls.accept(connection) { Self.serve(channel, form, surplus, log) }
        }
    }

    var port: UInt16 { listener.port }
    var counts: Counts { log.counts.withLock { $0 } }

    static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func serve(
        _ channel: any RawChannel, _ form: Form, _ surplus: Surplus?, _ log: Log
    ) {
        var talked: Int64?
        while true {
            let head = channel.read(through: Array("\r\n\r\n".utf8))
            guard head.count > 4 else { return }
            func field(_ name: String) -> Int? {
                String(decoding: head, as: UTF8.self).split(separator: "\r\n")
                    .first { $0.lowercased().hasPrefix(name + ": ") }
                    .flatMap { Int($0.dropFirst(name.count + 2)) }
            }
            guard let number = field("x-number"), let started = field("x-started") else { return }
            var content = field("content-length") ?? 0
            while content > 0 {
                let piece = channel.read(upTo: content)
                if piece.isEmpty { return }
                content -= piece.count
            }
            if let talked {
                let isLate = Int64(started) > talked + grace
                log.counts.withLock { counts in
                    _ = isLate ? counts.late.insert(number) : counts.races.insert(number)
                }
            }
            let answer = Array(response(form, number).utf8)
            guard let surplus, talked == nil else {
                if talked == nil {
                    channel.write(answer)
                } else {
                    talked = log.talk(answer, channel)
                }
                continue
            }
            channel.write(answer)
            usleep(.random(in: 0...20_000))
            talked = log.talk(surplus.bytes, channel)
        }
    }

    static func response(_ form: Form, _ number: Int) -> String {
        let start = "HTTP/1.1 \(form == .noContent ? 204 : 200) OK\r\nX-Number: \(number)\r\n"
        return switch form {
        case .length: start + "Content-Length: 2\r\n\r\nok"
        case .empty: start + "Content-Length: 0\r\n\r\n"
        case .chunked: start + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        case .noContent: start + "\r\n"
        case .head: start + "Content-Length: 2\r\n\r\n"
        }
    }
}
