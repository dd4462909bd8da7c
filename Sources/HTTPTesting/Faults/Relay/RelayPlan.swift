import HTTPCore

/// The effect of a ``FaultRelay`` on one connection.
public struct RelayPlan: Hashable, Sendable {
    /// The faults on the way from the client to the server.
    public var toServer: RelayFaults
    /// The faults on the way from the server to the client.
    public var toClient: RelayFaults

    /// Creates a plan with the faults of each direction; none by default.
    public init(toServer: RelayFaults = RelayFaults(), toClient: RelayFaults = RelayFaults()) {
        self.toServer = toServer
        self.toClient = toClient
    }

    /// Returns a pseudorandom plan, which is the same for the same seed and connection.
    ///
    /// The plan has delays of up to 20 ms, sometimes a rate, and for one connection of three a
    /// break within the first 4 KiB in either direction.
    public static func seeded(_ seed: UInt64, connection: Int) -> Self {
        var dice = SeededRandom(seed, number: connection)
        func faults() -> RelayFaults {
            RelayFaults(
                delay: .milliseconds(20) * dice.fraction(),
                rate: dice.fraction() < 0.2 ? 20_000 + Int(100_000 * dice.fraction()) : nil)
        }
        var plan = Self(toServer: faults(), toClient: faults())
        let draw = dice.fraction()
        let end = RelayFaults.Break(
            dice.fraction() < 0.5 ? .cut : .reset, after: Int(4096 * dice.fraction()))
        if draw < 0.1 { plan.toServer.end = end } else if draw < 0.33 { plan.toClient.end = end }
        return plan
    }
}

/// The faults of one direction of a connection; none by default.
public struct RelayFaults: Hashable, Sendable {
    /// A break of a connection, and the number of bytes that pass before it.
    public struct Break: Hashable, Sendable {
        /// The ways in which a connection breaks.
        public enum Kind: Hashable, Sendable {
            /// The client sees the end of the stream after the bytes that passed; the server sees
            /// that the client has left.
            case cut
            /// Both sides see a reset.
            case reset
            /// Nothing more passes in this direction, and the connection stays open.
            case stall
        }
        /// The way in which the connection breaks.
        public var kind: Kind
        /// The number of bytes that pass before the break. With 0, the connection breaks as soon as
        /// it is made.
        public var bytes: Int

        /// Creates a break after so many bytes.
        public init(_ kind: Kind, after bytes: Int) {
            self.kind = kind
            self.bytes = max(0, bytes)
        }
    }

    /// The delay of each byte, and of the end of the stream.
    public var delay: Duration
    /// The most bytes that pass per second.
    public var rate: Int?
    /// The break of the connection; `nil` for none.
    public var end: Break?

    /// Creates the faults of a direction; none by default.
    public init(delay: Duration = .zero, rate: Int? = nil, end: Break? = nil) {
        self.delay = delay
        self.rate = rate
        self.end = end
    }
}
