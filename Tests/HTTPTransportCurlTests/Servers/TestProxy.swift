import HTTPCore
import HTTPTransportCurl
import TestSupport
import PortableFoundation
import PortableLibc

/// A proxy for CONNECT, SOCKS4, SOCKS4a and SOCKS5. Wherever it is asked to connect to, it connects
/// to one port of 127.0.0.1, and keeps a record of what it was asked.
final class TestProxy: Sendable {
    struct Ask: Hashable, Sendable {
        var kind: String
        /// Host and port.
        var target: String
        var user: String?
        var password: String?
        /// The head of a CONNECT request.
        var head = ""
        var isRefused = false
    }

    private final class Record: Sendable {
        let asks = Locked<[Ask]>([])
    }

    private let record: Record
    private let listener: RawListener
    var port: UInt16 { listener.port }
    var log: [Ask] { record.asks.withLock { $0 } }

    /// - Parameters:
    ///   - credentials: `user:password` that it insists on.
    ///   - refusal: what CONNECT is answered instead of 200.
    ///   - interim: what CONNECT is answered before that.
    ///   - reply: what SOCKS5 is answered instead of success.
    init(
        to target: UInt16, credentials: String? = nil, refusal: Int? = nil, interim: String = "",
        reply: UInt8 = 0
    ) throws {
        let record = Record()
        listener = try RawListener { connection in
            let first = connection.read(1)
            let ask: Ask? =
                switch first.first {
                case 5: Self.socks5(connection, credentials, reply)
                case 4: Self.socks4(connection)
                case nil: nil
                default: Self.connect(connection, first, credentials, refusal, interim)
                }
            guard let ask else { return }
            record.asks.withLock { $0.append(ask) }
            guard !ask.isRefused, let server = RawConnection(port: target) else { return }
            connection.join(server)
        }
        self.record = record
    }

    private static func connect(
        _ connection: RawConnection, _ first: [UInt8], _ credentials: String?, _ refusal: Int?,
        _ interim: String
    ) -> Ask {
        let head = String(
            decoding: first + connection.read(until: Array("\r\n\r\n".utf8)), as: UTF8.self)
        let words = head.split(separator: " ", maxSplits: 2)
        var ask = Ask(
            kind: String(words[0]), target: words.count > 1 ? String(words[1]) : "", head: head)
        connection.write(interim)
        // Interim responses usually come while the proxy connects to the server.
        if interim.contains("103") { usleep(20_000) }
        let wanted = credentials.map { "Basic \(Data($0.utf8).base64EncodedString())\r\n" }
        if let wanted, !head.contains("Proxy-Authorization: \(wanted)") {
            ask.isRefused = true
            connection.write(
                "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
                    + "Content-Length: 0\r\n\r\n"
            )
        } else if let refusal {
            ask.isRefused = true
            connection.write(
                "HTTP/1.1 \(refusal) No\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n")
        } else {
            connection.write("HTTP/1.1 200 Connected\r\nX-Proxy: 1\r\n\r\n")
        }
        return ask
    }

    private static func socks4(_ connection: RawConnection) -> Ask? {
        let request = connection.read(7)
        guard request.count == 7 else { return nil }
        let user = connection.read(until: [0]).dropLast()
        let port = Int(request[1]) << 8 | Int(request[2])
        var host = request[3...].map(String.init).joined(separator: ".")
        var kind = "SOCKS4"
        if host.hasPrefix("0.0.0."), host != "0.0.0.0" {
            kind = "SOCKS4a"
            host = String(decoding: connection.read(until: [0]).dropLast(), as: UTF8.self)
        }
        connection.write([0, 90, 0, 0, 0, 0, 0, 0])
        return Ask(
            kind: kind, target: "\(host):\(port)",
            user: user.isEmpty ? nil : String(decoding: user, as: UTF8.self))
    }

    private static func socks5(
        _ connection: RawConnection, _ credentials: String?, _ reply: UInt8
    ) -> Ask? {
        guard let count = connection.read(1).first else { return nil }
        let methods = connection.read(Int(count))
        var ask = Ask(kind: "SOCKS5", target: "")
        if credentials != nil || methods == [2] {
            guard methods.contains(2) else {
                connection.write([5, 0xFF])
                ask.isRefused = true
                return ask
            }
            connection.write([5, 2])
            _ = connection.read(1)
            let user = connection.read(Int(connection.read(1).first ?? 0))
            let password = connection.read(Int(connection.read(1).first ?? 0))
            ask.user = String(decoding: user, as: UTF8.self)
            ask.password = String(decoding: password, as: UTF8.self)
            let isRight = credentials == "\(ask.user ?? ""):\(ask.password ?? "")"
            connection.write([1, isRight ? 0 : 1])
            guard isRight else {
                ask.isRefused = true
                return ask
            }
        } else {
            connection.write([5, 0])
        }
        let request = connection.read(4)
        guard request.count == 4 else { return nil }
        let host: String
        switch request[3] {
        case 1: host = connection.read(4).map(String.init).joined(separator: ".")
        case 3:
            host = String(
                decoding: connection.read(Int(connection.read(1).first ?? 0)), as: UTF8.self)
        default: host = IPAddress(bytes: connection.read(16))?.description ?? "?"
        }
        let port = connection.read(2)
        connection.write([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
        ask.isRefused = reply != 0
        ask.target = "\(host):\(Int(port[0]) << 8 | Int(port[1]))"
        return ask
    }
}
