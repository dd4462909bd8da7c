#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The arguments of a client: `URL COUNT IN-FLIGHT MODE`, and some environment variables.
public struct Assignment: Sendable {
    public enum Mode: String, CaseIterable, Sendable {
        /// The body is collected in memory, and connections are kept.
        case get
        /// The same over HTTP/2, negotiated by ALPN.
        case h2
        /// A new connection for each request.
        case fresh
        /// The body is read and counted piece by piece.
        case down
        case downFile = "down-file"
        /// The body is generated piece by piece.
        case up
        case upFile = "up-file"
    }

    public let url: String
    public let count: Int
    public let inFlight: Int
    public let mode: Mode
    /// `BENCH_CA`: The bundle of trusted authorities; `nil` for the machine's own.
    public let authorities: String?
    /// `BENCH_WARM_UP`: The URL of a GET that opens a connection before the clock starts; `nil` for
    /// no such request.
    public let warmUp: String?
    /// `BENCH_FILE`: The file to write or to read.
    public let file: String
    /// `BENCH_UPLOAD_BYTES`: The length of an upload.
    public let uploadLength: Int
    /// `BENCH_EXPECT_BYTES`: The expected length; any other length is an error.
    public let expectedLength: Int?

    /// Reads the arguments. Ends the process if they are invalid.
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
        warmUp = Self.variable("BENCH_WARM_UP")
        file = Self.variable("BENCH_FILE") ?? "/dev/null"
        uploadLength = Self.variable("BENCH_UPLOAD_BYTES").flatMap { Int($0) } ?? 1 << 30
        expectedLength = Self.variable("BENCH_EXPECT_BYTES").flatMap { Int($0) }
    }

    public static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
