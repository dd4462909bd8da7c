import ConformanceVectors
import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

@Suite(
    .enabled(if: ConformanceData.isAvailable, ConformanceData.whySkipped), .timeLimit(.minutes(5)))
struct ServerSentEventsConformanceTests {
    struct Case: Decodable {
        struct Event: Decodable, Equatable {
            var type: String
            var data: String
            var last_event_id: String
        }
        var id: String
        var stream_b64: String
        var chunk_lengths: [Int]?
        var events: [Event]
        var retry: Int64?
        var last_event_id_after: String?
    }

    @Test(arguments: ["wpt", "okhttp", "launchdarkly", "eventsource-parser"])
    func `event streams are read as the standard says`(file: String) throws {
        var report = ConformanceReport("sse/\(file)")
        for test in try ConformanceData.cases("sse/\(file).json", as: Case.self) {
            let bytes = try #require(Data(base64Encoded: test.stream_b64))
            var ways = Cuts.all(bytes)
            if let lengths = test.chunk_lengths {
                ways.append(Cuts.pieces(of: bytes, lengths: lengths))
            }
            var isRight = true
            for pieces in ways {
                var parser = ServerSentEventParser()
                var events: [Case.Event] = []
                for piece in pieces {
                    parser.append(piece)
                    while let event = try parser.next() {
                        events.append(
                            Case.Event(
                                type: event.type, data: event.data,
                                last_event_id: event.lastEventID))
                    }
                }
                isRight =
                    isRight && events == test.events
                    && parser.reconnectionTime == test.retry.map { .milliseconds($0) }
                    && (test.last_event_id_after ?? parser.lastEventID) == parser.lastEventID
            }
            report.record(test.id, isRight)
        }
        report.finish()
    }

    struct ResponseCase: Decodable {
        var id: String
        var status: Int
        var content_type: String
        var accept: Bool
    }

    @Test func `only what says so is an event stream`() throws {
        var report = ConformanceReport("sse/response")
        let request = try HTTPRequest(.get, "https://h/")
        for test in try ConformanceData.cases("sse/response.json", as: ResponseCase.self) {
            let status = try #require(HTTPStatus(code: test.status))
            let response = HTTPResponse(
                status, headers: HTTPHeaders { $0[.contentType] = test.content_type }, to: request)
            report.record(test.id, ((try? response.serverSentEvents()) != nil) == test.accept)
        }
        report.finish()
    }
}
