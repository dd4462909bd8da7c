import HTTPCore
import HTTPTesting
import HTTPTransportCurl
import HTTPTransportURLSession
import TestSupport
import Testing

/// The conformance cases over each transport of this package.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TransportConformanceTests {
    static let curl = TransportConformance("CurlTransport") { CurlTransport() }
    static let urlSession = TransportConformance(
        "URLSessionTransport", excluding: corelibsExclusions
    ) { URLSessionTransport() }

    // MARK: Transports

    @Test(.rows("S3-3", "S4-7"), arguments: curl.cases)
    func `CurlTransport is a transport`(_ example: TransportConformance.Case) async throws {
        let outcome = try await Self.curl.run(example)
        print("TRANSPORT | \(example) | \(Self.curl.transport) | \(outcome)")
    }

    @Test(.rows("S3-3", "S4-7"), arguments: urlSession.cases)
    func `URLSessionTransport is a transport`(_ example: TransportConformance.Case) async throws {
        // While the machine compiles, leaving an upload that its server does not read can take
        // URLSession 15 s, and some cases do so twice.
        let outcome = try await Self.urlSession.run(example, within: .seconds(90))
        print("TRANSPORT | \(example) | \(Self.urlSession.transport) | \(outcome)")
    }
}
