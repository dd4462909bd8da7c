import HTTPCore
import PortableLibc

/// A server of HTTP/2 over TLS, or of HTTP/1.1 for clients that do not offer it, whose scripts say
/// which frames are sent. Each connection has a thread of its own, on which its script may block.
final class FrameServer: Sendable {
    /// A frame (RFC 9113 §4.1).
    struct Frame: Sendable {
        enum Kind: UInt8, Sendable {
            case data, headers, priority, resetStream, settings, pushPromise, ping, goAway
            case windowUpdate, continuation
        }
        static let endStream: UInt8 = 1
        static let acknowledgement: UInt8 = 1
        static let endHeaders: UInt8 = 4

        var kind: Kind
        var flags: UInt8 = 0
        var stream: UInt32
        var payload: [UInt8] = []

        var hasEnded: Bool { kind.rawValue <= 1 && flags & Self.endStream != 0 }

        var bytes: [UInt8] {
            [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
                + [kind.rawValue, flags] + Self.number(stream) + payload
        }

        static func number(_ value: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }

        /// A head with the status 200, and the length of the body if there is one.
        static func ok(_ stream: UInt32, length: Int? = nil, ends: Bool = false) -> Frame {
            var fields: [UInt8] = [0x88]
            if let length {
                let text = Array("\(length)".utf8)
                // A literal whose name has the index 28: content-length (RFC 7541 §6.2.2).
                fields += [0x0F, 0x0D, UInt8(text.count)] + text
            }
            return Frame(
                kind: .headers, flags: endHeaders | (ends ? endStream : 0), stream: stream,
                payload: fields)
        }

        static func data(_ stream: UInt32, _ text: String, ends: Bool = false) -> Frame {
            Frame(
                kind: .data, flags: ends ? endStream : 0, stream: stream, payload: Array(text.utf8))
        }

        static func reset(_ stream: UInt32, _ error: UInt32) -> Frame {
            Frame(kind: .resetStream, stream: stream, payload: number(error))
        }

        static func goAway(_ last: UInt32, _ error: UInt32 = 0) -> Frame {
            Frame(kind: .goAway, stream: 0, payload: number(last) + number(error))
        }

        static func settings(maximumStreams: UInt32? = nil) -> Frame {
            Frame(
                kind: .settings, stream: 0,
                payload: maximumStreams.map { [0, 3] + number($0) } ?? [])
        }

        /// Lets the client send `count` bytes more.
        static func window(_ stream: UInt32, _ count: Int) -> Frame {
            Frame(kind: .windowUpdate, stream: stream, payload: number(UInt32(count)))
        }

        static let ping = Frame(kind: .ping, stream: 0, payload: Array(repeating: 7, count: 8))
    }

    /// One connection.
    final class Connection: Sendable {
        /// The number of the connection, from 0 on.
        let number: Int
        private let channel: any RawChannel
        private let raw: RawConnection

        fileprivate init(_ number: Int, _ channel: any RawChannel, _ raw: RawConnection) {
            self.number = number
            self.channel = channel
            self.raw = raw
        }

        private func read(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                let piece = channel.read(upTo: count - bytes.count)
                if piece.isEmpty { break }
                bytes += piece
            }
            return bytes
        }

        /// Returns `true` if the client speaks HTTP/2. Reads the beginning of its preface.
        fileprivate func beginsHTTP2() -> Bool {
            let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            let start = read(3)
            guard start.elementsEqual(preface.prefix(3)) else { return false }
            return read(preface.count - 3).elementsEqual(preface.dropFirst(3))
        }

        /// The next frame, or `nil` at the end of the connection.
        func next() -> Frame? {
            let head = read(9)
            guard head.count == 9 else { return nil }
            let payload = read(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
            let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard let kind = Frame.Kind(rawValue: head[3]) else { return next() }
            return Frame(kind: kind, flags: head[4], stream: stream, payload: payload)
        }

        /// The next frame that fits, or `nil` at the end of the connection.
        func next(where fits: (Frame) -> Bool) -> Frame? {
            while let frame = next() { if fits(frame) { return frame } }
            return nil
        }

        /// The stream of the next request whose head comes; `nil` at the end of the connection.
        func nextRequest() -> UInt32? { next { $0.kind == .headers }?.stream }

        /// The stream of the next request that has come as a whole.
        func nextWholeRequest() -> UInt32? { next(where: \.hasEnded)?.stream }

        /// Sends frames in one write.
        func send(_ frames: Frame...) { send(frames) }

        func send(_ frames: [Frame]) { channel.write(frames.flatMap(\.bytes)) }

        /// Returns once the client has read everything that was sent, or at the connection's end.
        func sync() {
            send(.ping)
            _ = next { $0.kind == .ping && $0.flags & Frame.acknowledgement != 0 }
        }

        func write(_ text: String) { write(Array(text.utf8)) }
        func write(_ bytes: [UInt8]) { channel.write(bytes) }

        /// Reads the head of a request of HTTP/1.1.
        func readHead() { _ = channel.read(through: Array("\r\n\r\n".utf8)) }

        /// Reads until the client closes the connection.
        func drain() { while !channel.read(upTo: 64 << 10).isEmpty {} }

        /// Lets a wait for the next frame end as if the connection had, if none comes for so long.
        func limitWaits(milliseconds: Int) {
            var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
            unsafe setsockopt(
                raw.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit,
                socklen_t(MemoryLayout<timeval>.size))
        }

        /// Returns `true` if the connection takes more bytes by then.
        func isWritable(within milliseconds: Int32) -> Bool {
            var entry = pollfd(fd: raw.descriptor, events: Int16(POLLOUT), revents: 0)
            return unsafe poll(&entry, 1, milliseconds) == 1
        }

        /// Closes the connection at once, without an end of TLS.
        func abort() { shutdown(raw.descriptor, Int32(SHUT_RDWR)) }
    }

    private struct State {
        var connections = 0
    }

    private final class Counter: Sendable {
        let state = Locked(State())
    }

    private let listener: RawListener
    private let counter: Counter
    let url: String

    var connectionCount: Int { counter.state.withLock { $0.connections } }

    /// - Parameters:
    ///   - firstHTTP2: The number of the first connection that may speak HTTP/2, from 0 on.
    ///   - settings: What is sent at the beginning of a connection of HTTP/2.
    ///   - http1: The script of a connection over which the client speaks HTTP/1.1. The first three
    ///     bytes of its request have been read.
    ///   - script: The script of a connection of HTTP/2. The connection is closed at its end.
    init(
        firstHTTP2: Int = 0, settings: Frame? = .settings(),
        http1: @escaping @Sendable (Connection) -> Void = { _ in },
        _ script: @escaping @Sendable (Connection) -> Void
    ) async throws {
        let certificate = try await TestAuthority.shared.server
        let tls = try RawTLS(certificate, selects: .http2)
        let http1TLS = try RawTLS(certificate, selects: .http1)
        let counter = Counter()
        self.counter = counter
        listener = try RawListener { raw in
            // Without this, bytes wait until the client has acknowledged earlier ones, and are lost
            // if the connection is closed meanwhile.
            var on: Int32 = 1
            unsafe setsockopt(
                raw.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on,
                socklen_t(MemoryLayout<Int32>.size))
            let number = counter.state.withLock { state in
                state.connections += 1
                return state.connections - 1
            }
            guard let channel = (number < firstHTTP2 ? http1TLS : tls).accept(raw) else { return }
            let connection = Connection(number, channel, raw)
            guard connection.beginsHTTP2() else { return http1(connection) }
            if let settings { connection.send(settings) }
            script(connection)
        }
        url = "https://127.0.0.1:\(listener.port)/"
    }
}
