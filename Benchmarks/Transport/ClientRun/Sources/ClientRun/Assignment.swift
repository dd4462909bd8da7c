#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a client is told to do: `URL COUNT IN-FLIGHT MODE`, and some variables.
public struct Assignment: Sendable {
    public enum Mode: String, CaseIterable, Sendable {
        /// The body gathered in memory, connections kept.
        case get
        /// The same over HTTP/2, agreed on by ALPN.
        case h2
        /// A new connection for each request.
        case fresh
        /// The body read piece by piece, and counted.
        case down
        case downFile = "down-file"
        /// A body made piece by piece.
        case up
        case upFile = "up-file"
    }

    public let url: String
    public let count: Int
    public let inFlight: Int
    public let mode: Mode
    /// `BENCH_CA`: the bundle of authorities to trust; `nil` for the machine's own.
    public let authorities: String?
    /// `BENCH_FILE`: where to write to, or to read from.
    public let file: String
    /// `BENCH_UPLOAD_BYTES`.
    public let uploadLength: Int
    /// `BENCH_EXPECT_BYTES`: a body of another length is an error.
    public let expectedLength: Int?

    /// Ends the process when the arguments are none.
    public init() {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[2]),
            let inFlight = Int(arguments[3]), let mode = Mode(rawValue: arguments[4])
        else {
            let modes = Mode.allCases.map(\.rawValue).joined(separator: "|")
            print("usage: \(arguments[0]) URL COUNT IN-FLIGHT \(modes)")
            exit(2)
        }
        url = arguments[1]
        self.count = count
        self.inFlight = min(inFlight, count)
        self.mode = mode
        authorities = Self.variable("BENCH_CA").flatMap { $0.isEmpty ? nil : $0 }
        file = Self.variable("BENCH_FILE") ?? "/dev/null"
        uploadLength = Self.variable("BENCH_UPLOAD_BYTES").flatMap { Int($0) } ?? 1 << 30
        expectedLength = Self.variable("BENCH_EXPECT_BYTES").flatMap { Int($0) }
    }

    public static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
