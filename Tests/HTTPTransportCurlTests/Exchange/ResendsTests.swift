import Testing

@testable import HTTPTransportCurl

@Suite struct ResendsTests {
    /// One step of a request's life.
    private enum Step {
        /// libcurl is about to write the request, having opened so many connections and taken so
        /// many bytes.
        case write(connections: Int, bytes: Int)
        /// The server has refused the last send.
        case refuse
        /// libcurl is given the request anew, having taken so many bytes.
        case startAgain(taken: Int)
    }

    /// The decision about each send, and whether no server can have processed the request.
    private struct Outcome: Equatable {
        var permitted: [Bool]
        var reachedNoServer: Bool
    }

    private static func outcome(
        isIdempotent: Bool, seesStreams: Bool = true, _ steps: [Step]
    ) -> Outcome {
        var resends = Resends()
        var permitted: [Bool] = []
        for step in steps {
            switch step {
            case .write(let connections, let bytes):
                permitted.append(
                    resends.write(
                        Resends.Send(
                            connections: connections, bytes: bytes, isIdempotent: isIdempotent,
                            seesStreams: seesStreams)) != .refused)
            case .refuse: resends.refuse()
            case .startAgain(let taken): resends.startAgain(taken: taken)
            }
        }
        return Outcome(permitted: permitted, reachedNoServer: resends.reachedNoServer)
    }

    @Test(arguments: [true, false])
    func `the first send is always permitted, and may be processed`(isIdempotent: Bool) {
        for connections in 0...1 {
            let result = Self.outcome(
                isIdempotent: isIdempotent, [.write(connections: connections, bytes: 0)])
            #expect(result == Outcome(permitted: [true], reachedNoServer: false))
        }
        #expect(Self.outcome(isIdempotent: isIdempotent, []).reachedNoServer)
    }

    /// libcurl repeats a request over HTTP/2 even on the connection that it has opened, once
    /// another request uses that.
    @Test(arguments: [true, false], [0, 1])
    func `after a send whose fate is unknown only what is idempotent is sent again`(
        isIdempotent: Bool, connections: Int
    ) {
        let result = Self.outcome(
            isIdempotent: isIdempotent,
            [
                .write(connections: connections, bytes: 0),
                .write(connections: connections + 1, bytes: 100),
            ])
        #expect(result == Outcome(permitted: [true, isIdempotent], reachedNoServer: false))
    }

    @Test func `what is idempotent is sent again as often as libcurl does`() {
        let result = Self.outcome(
            isIdempotent: true, (0..<6).map { .write(connections: $0, bytes: $0 * 100) })
        #expect(result.permitted == Array(repeating: true, count: 6))
    }

    @Test func `what was not written is written on another connection, whatever it is`() {
        let result = Self.outcome(
            isIdempotent: false,
            [
                .write(connections: 0, bytes: 0), .write(connections: 1, bytes: 0),
                .startAgain(taken: 0), .write(connections: 1, bytes: 0),
            ])
        #expect(result == Outcome(permitted: [true, true, true], reachedNoServer: false))
    }

    @Test(arguments: [true, false], [true, false])
    func `what was refused is sent again as often as it takes`(
        isIdempotent: Bool, seesStreams: Bool
    ) {
        var steps: [Step] = []
        for number in 0..<10 {
            steps += [.write(connections: number % 2, bytes: number * 100), .refuse]
        }
        let result = Self.outcome(isIdempotent: isIdempotent, seesStreams: seesStreams, steps)
        #expect(
            result
                == Outcome(permitted: Array(repeating: true, count: 10), reachedNoServer: true))
    }

    @Test func `a start of its own decides about the last send as libcurl's does`() {
        let lost: [Step] = [
            .write(connections: 0, bytes: 0), .startAgain(taken: 100),
            .write(connections: 1, bytes: 0),
        ]
        let refused: [Step] = [
            .write(connections: 0, bytes: 0), .refuse, .startAgain(taken: 100),
            .write(connections: 1, bytes: 0),
        ]
        #expect(Self.outcome(isIdempotent: false, lost).permitted == [true, false])
        #expect(Self.outcome(isIdempotent: false, refused).permitted == [true, true])
        #expect(Self.outcome(isIdempotent: false, Array(refused.dropLast())).reachedNoServer)
    }

    @Test func `a refusal says nothing about an earlier send`() {
        let result = Self.outcome(
            isIdempotent: true,
            [.write(connections: 0, bytes: 0), .write(connections: 1, bytes: 100), .refuse])
        #expect(result == Outcome(permitted: [true, true], reachedNoServer: false))
    }

    @Test func `a refusal counts only while a send is under way`() {
        let result = Self.outcome(
            isIdempotent: false,
            [.refuse, .write(connections: 0, bytes: 0), .write(connections: 1, bytes: 100)])
        #expect(result.permitted == [true, false])
    }

    @Test(arguments: [true, false])
    func `where streams are not seen, a connection of its own can only have refused`(
        isIdempotent: Bool
    ) {
        let own = Self.outcome(
            isIdempotent: isIdempotent, seesStreams: false,
            [.write(connections: 1, bytes: 0), .write(connections: 2, bytes: 100)])
        #expect(own.permitted == [true, true])
        let kept = Self.outcome(
            isIdempotent: isIdempotent, seesStreams: false,
            [.write(connections: 0, bytes: 0), .write(connections: 1, bytes: 100)])
        #expect(kept.permitted == [true, isIdempotent])
    }
}
