import HTTPCore
import HTTPFormats
import Testing

@Suite struct ServerTimingTests {
    @Test func `a metric has a name, and maybe a duration and a label`() throws {
        let metrics = ServerTiming.metrics(
            in: "miss, db;dur=53.5, app; DUR=\"47\" ;desc=\"a, \\\"b\\\"\";x=1")
        #expect(metrics.map(\.name) == ["miss", "db", "app"])
        #expect(metrics.map(\.duration) == [nil, .microseconds(53_500), .milliseconds(47)])
        #expect(metrics.map(\.label) == [nil, nil, "a, \"b\""])
        #expect(try #require(metrics.last)["X"] == "1")
    }

    @Test func `what is broken costs itself only, and the first of two counts`() {
        let metrics = ServerTiming.metrics(in: "=x, \"y\", a;b c;dur=1, d;dur=1;dur=2,, e")
        #expect(metrics.map(\.name) == ["a", "d", "e"])
        #expect(metrics.map(\.duration) == [nil, .milliseconds(1), nil])
    }

    @Test(arguments: ["-1", "nan", "inf", "1e300", "", "x", "1 2"])
    func `a duration that cannot be is none`(text: String) {
        #expect(ServerTiming.metrics(in: "a;dur=\"\(text)\"").first?.duration == nil)
    }
}
