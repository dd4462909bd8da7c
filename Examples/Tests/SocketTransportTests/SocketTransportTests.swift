import HTTPTesting
import SocketTransport
import Testing

/// Runs the conformance suite of the package's own transports on the example transport.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SocketTransportTests {
    static let conformance = TransportConformance(
        "SocketTransport",
        excluding: [
            .init(
                "bytes of a stream leave before it ends", because: takesBodiesIn,
                isAttempted: false),
            .init("an early refusal lets an endless producer go", because: takesBodiesIn),
        ] + keepsConnections.map { .init($0, because: "it opens a connection for each request") }
            // The server would wait for a connection that no longer exists.
            + ["a second response", "a 408 on an idle connection"].map {
                .init(
                    "\($0) is never the answer to the next request",
                    because: "it opens a connection for each request", isAttempted: false)
            }
    ) { SocketTransport() }

    private static let takesBodiesIn = "it takes bodies in before it sends them"

    private static let keepsConnections = [
        "a connection is kept after answers without content", "a connection is kept after chunks",
        "a hundred requests one after the other share a connection",
        "a connection is kept after an error status", "a connection is kept after an upload",
        "a short rest is read away, and its connection kept",
    ]

    @Test(arguments: conformance.cases)
    func `SocketTransport is a transport`(_ example: TransportConformance.Case) async throws {
        let outcome = try await Self.conformance.run(example)
        print("TRANSPORT | \(example) | \(Self.conformance.transport) | \(outcome)")
    }
}
