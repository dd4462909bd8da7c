/// A defect of some versions of libcurl that the transport works around.
///
/// `Docs/CurlChecklist.md` lists them with their workarounds.
enum LibraryDefect: UInt8, CaseIterable {
    /// Uploads over HTTP/2 stall or spin (curl #11426).
    case stalledHTTP2Uploads
    /// A response over HTTP/2 that comes before its request's body was read is dropped, if the
    /// server then closes the stream (RFC 9113 §8.1). Up to 8.0, the request may even be repeated;
    /// later versions deliver the response and then an error.
    case lostEarlyResponses
    /// The trailers of a response over HTTP/2 are dropped if the response has a `Content-Length`.
    /// The versions between 7.88 and 8.14.1 were not tested.
    case lostTrailers
    /// A handle that is used again keeps a pointer to a field of its last response, which is freed.
    /// A response that begins with a folded line makes libcurl read there (curl #11103).
    case danglingHeader
    /// A socket that has not connected is closed without a call of the close callback.
    case untoldCloses
    /// The second address of a family is tried only when the first has failed, or has used up half
    /// of the limit to connect. Up to 7.88, no timer lets that happen.
    case sequentialAddresses
    /// A paused transfer is read once more, unless sending is paused as well. What is decoded
    /// meanwhile goes into a buffer of the library.
    case readingWhilePaused
    /// Bytes that are read together with a head without content are dropped, and the connection is
    /// kept.
    case droppedSurplus
    /// libcurl reads on within one call for as long as frames without content arrive. The versions
    /// between 7.88 and 8.14.1 were not tested.
    case endlessReading
    /// A handle that is used again starts with the system's error of its last transfer. The
    /// versions between 8.7 and 8.14.1 were not examined.
    case staleSystemError
    /// TLS reads ahead, and libcurl stops reading once the HTTP/2 stream of the transfer that reads
    /// has ended. It runs no other transfer for what TLS holds by then.
    case unreadRecords
    /// libcurl waits for the server's close of TLS, and neither watches the socket meanwhile nor
    /// sets a timer. The versions between 8.14.1 and 8.21 were not examined.
    case unwatchedShutdowns
    /// A place of authorities that libcurl was built with is trusted where none is set, even if
    /// libcurl was told that there is none.
    case restoredAuthorities
    /// `curl_easy_reset` keeps pause bits and rewind flags.
    case incompleteReset
    /// libcurl gives up a connection of HTTP/3, with all its exchanges, if a request is cancelled
    /// before its body was passed on. In the middle of a packet, ngtcp2 then aborts the process
    /// when it is called again.
    case fatalCancellation
    /// A server that ends a connection of HTTP/3 ends the requests under way: libcurl sends one of
    /// them again, and reports the others as failed.
    case lostHTTP3Requests
    /// A transfer over HTTP/3 whose reader is paused sends nothing that keeps its connection alive.
    case silentPause

    /// The versions that have the defect, as libcurl numbers them: `0x08_02_01` is 8.2.1.
    var versions: Range<UInt32> {
        switch self {
        case .stalledHTTP2Uploads: 0..<0x08_02_01
        case .lostTrailers: 0..<0x08_0E_01
        case .lostEarlyResponses: 0..<0x08_03_00
        case .danglingHeader: 0..<0x08_01_00
        case .untoldCloses: 0..<0x08_02_00
        case .sequentialAddresses: 0..<0x08_10_00
        case .readingWhilePaused, .droppedSurplus: 0..<0x08_07_00
        case .endlessReading, .staleSystemError: 0..<0x08_0E_01
        case .unreadRecords, .unwatchedShutdowns: 0x08_0F_00..<UInt32.max
        case .restoredAuthorities: 0x08_11_00..<UInt32.max
        case .incompleteReset: 0..<0x08_13_00
        case .silentPause, .fatalCancellation, .lostHTTP3Requests: 0..<UInt32.max
        }
    }

    /// The defects of one version, as a set of bits.
    static func bits(of version: UInt32) -> UInt32 {
        allCases.filter { $0.versions.contains(version) }.reduce(0) { $0 | 1 << $1.rawValue }
    }
}
