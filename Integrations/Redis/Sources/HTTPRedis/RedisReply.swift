private import CHiredis
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A reply of the server.
enum RedisReply: Sendable, Equatable {
    case null
    case integer(Int64)
    /// A string of any bytes, or a status such as `OK`.
    case bytes(Data)
    case error(String)
    case array([RedisReply])

    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var bytes: Data? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    var array: [RedisReply]? { if case .array(let array) = self { array } else { nil } }
    var isNull: Bool { self == .null }
}

/// A failure of a command.
public enum HTTPRedisError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no connection. The command may have been carried out if it was lost meanwhile.
    case notConnected(String)
    /// There was no reply in time. The command may have been carried out.
    case timedOut
    /// The server refused the command. The text is the server's, and begins with a code such as
    /// `OOM` or `READONLY`.
    case refused(String)
    /// The reply is not what the command returns.
    case unexpectedReply
    /// Too many commands wait for a connection.
    case overloaded
    /// The connection was closed by the program.
    case closed

    public var description: String {
        switch self {
        case .notConnected(let reason): "no connection to Redis: \(reason.escapingControls())"
        case .timedOut: "no reply of Redis in time"
        case .refused(let text): "Redis refused the command: \(text.escapingControls())"
        case .unexpectedReply: "a reply of Redis is not of the expected kind"
        case .overloaded: "too many commands wait for Redis"
        case .closed: "the connection to Redis was closed"
        }
    }
}

/// The only owner of one context of hiredis. Made, used and freed on one thread.
@safe struct RedisSocket: ~Copyable {
    /// The result of reading: replies, and the reason for which the connection is over.
    struct Input {
        var replies: [RedisReply] = []
        var failure: String?
    }

    private let context: UnsafeMutablePointer<redisContext>

    /// Begins to connect.
    ///
    /// - Parameter address: A host and a port, or the path of a Unix socket.
    init(_ address: HTTPRedisConfiguration.Address) throws(HTTPRedisError) {
        let made =
            switch address {
            case .tcp(let host, let port): unsafe redisConnectNonBlock(host, Int32(port))
            case .unix(let path): unsafe redisConnectUnixNonBlock(path)
            }
        guard let made = unsafe made else { throw .notConnected("out of memory") }
        guard unsafe made.pointee.err == 0 else {
            let failure = unsafe Self.failure(of: made)
            unsafe redisFree(made)
            throw .notConnected(failure)
        }
        unsafe context = made
    }

    deinit { unsafe redisFree(context) }

    var descriptor: Int32 { unsafe context.pointee.fd }

    private var failure: String { unsafe Self.failure(of: context) }

    private static func failure(of context: UnsafeMutablePointer<redisContext>) -> String {
        unsafe withUnsafePointer(to: &context.pointee.errstr) { text in
            unsafe text.withMemoryRebound(to: CChar.self, capacity: 128) {
                unsafe String(cString: $0)
            }
        }
    }

    /// Adds a command to those that will be written.
    borrowing func append(_ arguments: [Data]) {
        let bytes = arguments.reduce(into: Data()) { $0.append($1) }
        let lengths = arguments.map(\.count)
        unsafe bytes.withUnsafeBytes { buffer in
            // An empty buffer has no address; hiredis reads no byte of it.
            let base =
                unsafe buffer.bindMemory(to: CChar.self).baseAddress
                ?? UnsafePointer(bitPattern: 1)
            var offset = 0
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            for length in lengths {
                unsafe pointers.append(base.map { unsafe $0 + offset })
                offset += length
            }
            // The buffers live until the end of the call, which copies them.
            unsafe redisAppendCommandArgv(context, Int32(lengths.count), &pointers, lengths)
        }
    }

    /// Writes what the socket takes.
    ///
    /// - Returns: `true` if everything was written.
    borrowing func write() throws(HTTPRedisError) -> Bool {
        var done: Int32 = 0
        guard unsafe redisBufferWrite(context, &done) == REDIS_OK else {
            throw .notConnected(failure)
        }
        return done != 0
    }

    /// Reads what has arrived.
    borrowing func read() -> Input {
        var input = Input()
        if unsafe redisBufferRead(context) != REDIS_OK { input.failure = failure }
        while true {
            var reply: UnsafeMutableRawPointer?
            guard unsafe redisGetReplyFromReader(context, &reply) == REDIS_OK else {
                input.failure = failure
                return input
            }
            guard let reply = unsafe reply else { return input }
            input.replies.append(
                unsafe RedisReply(reply.assumingMemoryBound(to: redisReply.self)))
            unsafe freeReplyObject(reply)
        }
    }
}

extension RedisReply {
    /// Copies a reply of hiredis.
    fileprivate init(_ reply: UnsafePointer<redisReply>) {
        let value = unsafe reply.pointee
        switch unsafe value.type {
        case REDIS_REPLY_INTEGER: self = .integer(Int64(unsafe value.integer))
        case REDIS_REPLY_STRING, REDIS_REPLY_STATUS:
            self = .bytes(unsafe Data(bytes: value.str, count: value.len))
        case REDIS_REPLY_ERROR:
            let bytes = unsafe Data(bytes: value.str, count: value.len)
            self = .error(String(decoding: bytes, as: UTF8.self))
        case REDIS_REPLY_ARRAY:
            self = .array(
                (0..<Int(unsafe value.elements)).map { index in
                    guard let element = unsafe value.element[index] else { return .null }
                    return unsafe RedisReply(UnsafePointer(element))
                })
        default: self = .null
        }
    }
}
