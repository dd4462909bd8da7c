/// What the server does on a connection, octet by octet: an ordered list of steps.
///
/// A script answers one request, chosen by a handler, or it is all that happens on a connection,
/// from the moment it is accepted (``LoopbackServer/init(_:scripts:)``). Nothing in it is checked
/// or completed: wrong framing, half a status line and an answer before the question are all there
/// to be written.
///
/// ```swift
/// let cut: LoopbackScript = [
///     .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .reset,
/// ]
/// ```
///
/// After the last step of a script that answers a request, what is left of the request is read, and
/// the connection is kept for the next one. After the last step of a connection's script, the
/// server closes it.
public struct LoopbackScript: Sendable, ExpressibleByArrayLiteral {
    public var steps: [Step]

    public init(_ steps: [Step]) { self.steps = steps }
    public init(arrayLiteral steps: Step...) { self.steps = steps }

    /// The same octets, with sends that follow each other joined to one where that costs little
    /// copying.
    var coalesced: Self {
        var joined: [Step] = []
        for step in steps {
            if case .send(let next) = step.kind, next.count <= 64 << 10, let last = joined.last,
                case .send(let bytes) = last.kind
            {
                joined[joined.count - 1] = .send(bytes + next)
            } else {
                joined.append(step)
            }
        }
        return Self(joined)
    }

    public static func + (first: Self, second: Self) -> Self { Self(first.steps + second.steps) }

    /// One thing that the server does, or waits for.
    public struct Step: Sendable {
        let kind: Kind

        enum Kind: Sendable {
            case send([UInt8])
            case drip([[UInt8]], next: Int, every: Duration)
            case generate(Generated)
            case awaitHead
            case continueIfExpected
            case awaitContent(Int)
            case awaitContentEnd(limit: Int)
            case pause(Duration)
            case gate(LoopbackGate)
            case choose(Choice)
            case stopReading
            case startReading
            case halfClose
            case close
            case reset
            case stall
        }

        typealias Choice = @Sendable (LoopbackRequest) -> LoopbackScript

        /// What is left of a run of generated octets.
        struct Generated: Sendable {
            var offset: Int
            var end: Int
            /// The most octets to write before the next decision.
            var piece: Int
            /// The pause after each piece but the last.
            var pause: Duration?
            /// Whether each piece is a chunk (RFC 9112 §7.1); the last chunk is not part of the
            /// run.
            var isChunked: Bool
        }
    }
}

extension LoopbackScript.Step {
    /// Sends `bytes`.
    public static func send(_ bytes: [UInt8]) -> Self { Self(kind: .send(bytes)) }

    /// Sends `text` in UTF-8.
    public static func send(_ text: String) -> Self { Self(kind: .send(Array(text.utf8))) }

    /// Sends each piece in a write of its own, with a pause of `interval` between two pieces.
    public static func drip(_ pieces: [[UInt8]], every interval: Duration) -> Self {
        Self(kind: .drip(pieces, next: 0, every: interval))
    }

    /// Sends `count` octets of the ``LoopbackPattern``, from `offset` on, which are never stored.
    ///
    /// - Parameter rate: The most octets to send per second, in small pieces; `nil` for as fast as
    ///   possible.
    public static func generate(_ count: Int, from offset: Int = 0, rate: Int? = nil) -> Self {
        Self(kind: .generate(Generated(count, from: offset, rate: rate, isChunked: false)))
    }

    /// Sends `count` octets of the ``LoopbackPattern`` in chunks (RFC 9112 §7.1), without the last
    /// chunk.
    public static func generateChunks(_ count: Int, from offset: Int = 0, rate: Int? = nil) -> Self
    {
        Self(kind: .generate(Generated(count, from: offset, rate: rate, isChunked: true)))
    }

    /// Waits for the end of the next request head.
    ///
    /// A script that a handler has chosen starts with its head already there. In a connection's
    /// script each such step stands for another request; what is left of the one before is read and
    /// dropped first.
    public static var awaitHead: Self { Self(kind: .awaitHead) }

    /// Waits until `count` octets of request content have arrived; chunk framing does not count.
    ///
    /// A request that ends before that ends the wait as well.
    public static func awaitContent(_ count: Int) -> Self { Self(kind: .awaitContent(count)) }

    /// Waits for the end of the request content, by its length or its last chunk and trailers.
    public static var awaitContentEnd: Self { Self(kind: .awaitContentEnd(limit: .max)) }

    /// Waits for the end of the request content, or until it is known to be longer than `limit`.
    public static func awaitContentEnd(orMoreThan limit: Int) -> Self {
        Self(kind: .awaitContentEnd(limit: limit))
    }

    /// Sends `100 Continue` if the request expects it and none of its content has arrived (RFC 9110
    /// §10.1.1).
    public static var continueIfExpected: Self { Self(kind: .continueIfExpected) }

    /// Waits for `duration`.
    public static func pause(_ duration: Duration) -> Self { Self(kind: .pause(duration)) }

    /// Waits until the test opens `gate`.
    public static func pause(until gate: LoopbackGate) -> Self { Self(kind: .gate(gate)) }

    /// Plays the script that `choice` returns for what has arrived of the request by now, then goes
    /// on.
    ///
    /// Waits for the head of the request, no more. The closure runs on the server's thread: it must
    /// not block.
    public static func choose(
        _ choice: @escaping @Sendable (LoopbackRequest) -> LoopbackScript
    ) -> Self { Self(kind: .choose(choice)) }

    /// Sends `response`, framed for the request.
    public static func respond(_ response: LoopbackResponse) -> Self {
        .choose { response.script(answering: $0) }
    }

    /// Reads nothing from now on, so that the client's octets fill the buffers and its writes
    /// block.
    ///
    /// Holds until ``startReading``, or the end of the request's script. Steps that wait for octets
    /// then wait for octets that have arrived before.
    public static var stopReading: Self { Self(kind: .stopReading) }

    /// Reads again.
    public static var startReading: Self { Self(kind: .startReading) }

    /// Shuts down the sending side; the client sees the end of the stream and may go on sending.
    public static var halfClose: Self { Self(kind: .halfClose) }

    /// Closes the connection, so that the client receives all that was sent and then the end of the
    /// stream.
    ///
    /// While the client is still sending, a plain close would make its system discard what it has
    /// not read yet. The server then half-closes, and drops what arrives, for up to a second (RFC
    /// 9112 §9.6).
    public static var close: Self { Self(kind: .close) }

    /// Closes the connection with a TCP reset, which the client sees as an error at once.
    public static var reset: Self { Self(kind: .reset) }

    /// Does nothing more, until the client closes the connection or the server stops.
    public static var stall: Self { Self(kind: .stall) }
}

extension LoopbackScript.Step.Generated {
    /// The server looks after other connections between two pieces of this size.
    static let unlimitedPiece = 256 << 10

    init(_ count: Int, from offset: Int, rate: Int?, isChunked: Bool) {
        self.offset = max(0, offset)
        let (end, isBeyond) = self.offset.addingReportingOverflow(max(0, count))
        self.end = isBeyond ? .max : end
        self.isChunked = isChunked
        if let rate {
            // Fifty pieces a second look like a steady stream; a slower rate than that sends single
            // octets.
            let rate = max(1, rate)
            self.piece = max(1, rate / 50)
            self.pause = .nanoseconds(Int64(Int128(piece) * 1_000_000_000 / Int128(rate)))
        } else {
            self.piece = isChunked ? Self.unlimitedPiece : .max
        }
    }
}
