@testable import HTTPFormats
import HTTPTesting
import TestSupport
import Testing
@testable import HTTPCore
import PortableFoundation

/// Every public number of the target at the edges of its type. A trap would end the tests.
@Suite(.timeLimit(.minutes(5))) struct HTTPCoreNumbersTests {
    private let clock = HTTPTestClock()

    // MARK: Time

    @Test func `instants and durations meet in saturation`() {
        for a in Extremes.durations {
            for b in Extremes.durations {
                let instant = HTTPInstant(sinceStart: a)
                _ = (instant + b).sinceStart.components
                _ = (instant - HTTPInstant(sinceStart: b)).components
                let start = HTTPInstant(sinceStart: .zero)
                #expect((b < .zero) == (start + b < start))
                _ = a.adding(b).components
                _ = a.subtracting(b).components
            }
            for factor in Extremes.factors { _ = a.scaled(by: factor).components }
            _ = (a.nanoseconds, a.inSeconds, a.milliseconds)
        }
        #expect(Duration.seconds(Int64.max).adding(.seconds(1)) == .longest)
        #expect(Duration.seconds(Int64.min).subtracting(.seconds(1)) == .shortest)
        #expect(Duration.seconds(3).adding(.milliseconds(-1)) == .milliseconds(2999))
        #expect(Duration.seconds(2).scaled(by: 1.5) == .seconds(3))
        #expect(Duration.seconds(2).scaled(by: .nan) == .zero)
        #expect(Duration.seconds(2).scaled(by: .infinity) == .longest)
        #expect(Duration.nanoseconds(5).nanoseconds == 5)
        #expect(Duration(attoseconds: 1).nanoseconds == 1)
        #expect(Duration(attoseconds: -1).nanoseconds == 0)
        #expect(Duration.longest.nanoseconds == .max && Duration.shortest.nanoseconds == .min)
    }

    @Test(arguments: Extremes.durations)
    func `a sleep ends at its time or with its task, however long it is`(duration: Duration)
        async throws
    {
        try await Extremes.run(on: clock) { [clock] in
            try await clock.sleep(for: duration)
            try await clock.sleep(until: HTTPInstant(sinceStart: duration))
        }
        let sleepers = Sleepers()
        let system = HTTPSystemClock()
        let sleep = Task { try await sleepers.sleep(until: system.now + duration, on: system) }
        if duration <= .nanoseconds(1) { return try await sleep.value }
        while sleepers.count.sleepers == 0 { await Task.yield() }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
        #expect(sleepers.count.sleepers == 0)
    }

    @Test(arguments: Extremes.durations)
    func `a deadline of any length is one`(duration: Duration) async throws {
        let mock = MockSession { HTTPResponse(.ok, body: HTTPBody("x"), to: $0) }
        let isOver = duration <= .zero
        try await HTTPDeadline.within(duration) {
            if isOver { #expect(HTTPDeadline.timeLeft == .zero) }
            await HTTPDeadline.within(.seconds(Int64.max)) {
                _ = HTTPDeadline.timeLeft?.components
            }
            _ = try HTTPRequest(.get, "https://h/").beginningCall().timeLeft?.components
        }
        let request = try HTTPRequest(.get, "https://h/").deadline(in: duration)
        _ = request.timeLeft?.components
        _ = try? request.timeout(duration).checkedTarget()
        var own = request
        own.deadline = clock.now + duration
        own = try own.beginningCall(clock: clock)
        let served = own.servingSeveral(for: duration)
        for request in [own, served] {
            do {
                _ = try await mock.attempt(request).get()
                #expect(!isOver)
            } catch let error as HTTPError {
                #expect(isOver && error.timer?.name == .deadline, "\(error)")
            }
        }
    }

    @Test(arguments: Extremes.durations)
    func `a duration can be written and shown`(duration: Duration) throws {
        var control = CacheControl()
        (control.maxAge, control.maxStale) = (duration, duration)
        (control.minFresh, control.staleIfError) = (duration, duration)
        control.staleWhileRevalidate = duration
        #expect(control.maxAge.map { (.zero ... .seconds(1 << 31)).contains($0) } == true)
        let retryAfter = RetryAfter.delay(duration)
        #expect(!retryAfter.description.contains("-"))
        for date in [Date(timeIntervalSince1970: .nan), .distantPast, .distantFuture] {
            #expect(retryAfter.delay(from: date) >= .zero)
            #expect(RetryAfter.date(HTTPDate(date)).delay(from: date) >= .zero)
        }

        let error = HTTPError(.timedOut, "late", timer: HTTPError.Timer(.idle, duration))
            .ending(try URL(strictly: "https://h/"), elapsed: duration)
        #expect(!"\(error)".isEmpty)
        for other in Extremes.durations {
            var exchange = HTTPTimeline.Exchange(start: HTTPInstant(sinceStart: duration))
            (exchange.admitted, exchange.connected, exchange.lastByte) = (duration, other, duration)
            exchange.responseBodyBytes = .max
            exchange.silentResends = .min
            let timeline = HTTPTimeline(exchanges: [exchange])
            #expect(!"\(timeline)".isEmpty)
            for width in Extremes.counts {
                #expect(timeline.waterfall(width: width).utf8.count < 100_000)
            }
        }
    }

    @Test func `limits of time from any number are limits`() {
        for factor in Extremes.factors {
            if case .after(let duration) = HTTPTimeouts.Limit.seconds(factor) {
                #expect(duration >= .zero)
            } else {
                #expect(factor > 1e15)
            }
        }
        for count in Extremes.counts {
            #expect(HTTPTimeouts.Limit.milliseconds(count) != .never)
        }
    }

    // MARK: Values

    @Test(arguments: Extremes.counts)
    func `a value of any number is one, or none`(count: Int) throws {
        #expect(HTTPStatus(code: count) == nil)
        #expect((QualityValue(thousandths: count) != nil) == (0...1).contains(count))
        #expect(!HTTPDate(secondsSince1970: count).description.isEmpty)
        _ = try? HTTPOrigin(host: "h", port: count)
        _ = try? HTTPRequest(.get, "https://h/").with(port: count)
        #expect(!"\(HTTPRange.lastBytes(count))\(HTTPRange.bytes(count...))".isEmpty)
        #expect(!"\(HTTPRange.bytes(min(count, 0)...max(count, 0)))".isEmpty)
        let parts: [HTTPRange.Part] = [
            .from(count), .last(count), .closed(count...count),
            .closed(min(count, 0)...max(count, 0)),
        ]
        for part in parts {
            for length in Extremes.counts { _ = part.resolved(inLength: length) }
        }
        _ = try? StructuredField.BareItem.integer(count)
        _ = StructuredField.Decimal(thousandths: Int64(count))
        _ = StructuredField.Integer(count)
        #expect(HTTPJSON(integerLiteral: Int64(count)) == .number(HTTPJSON.Number(count)))
        _ = try HTTPJSON(integerLiteral: Int64(count)).serialized()
        #expect(!SystemError(Int32(clamping: count)).description.isEmpty)
        #expect(ProblemDetails(status: count).status == count)
        for other in Extremes.lengths {
            let fraction = HTTPBodyProgress(bytes: Int64(count), length: other).fraction
            #expect(fraction.map { (0...1).contains($0) } ?? true, "\(count) of \(other)")
        }
    }

    @Test(arguments: Extremes.factors)
    func `a value of any fraction is one, or none`(factor: Double) throws {
        _ = (StructuredField.Decimal(factor), HTTPJSON.Number(factor).int64)
        _ = try? StructuredField.BareItem.decimal(factor)
        _ = try? HTTPJSON.number(HTTPJSON.Number(factor)).serialized()
        #expect(!URITemplate.Value(floatLiteral: factor).isUndefined)
        let date = Date(timeIntervalSince1970: factor)
        #expect(!HTTPDate(date).description.isEmpty)
        for style in [
            QueryEncoding.DateStyle.utc, .internet, .secondsSince1970, .millisecondsSince1970,
        ] {
            let values = QueryValue.dictionary(["d": date, "f": factor])
            #expect(!QueryEncoding.text(of: QueryEncoding(date: style).pairs(values)).isEmpty)
        }
    }

    // MARK: Bodies

    @Test(arguments: Extremes.counts)
    func `a body under any limit is read, or too large`(limit: Int) async throws {
        let text = "data: {\"a\":1}\n\n"
        let source: @Sendable () -> AsyncStream<Data> = {
            AsyncStream<Data> { stream in
                stream.yield(Data(text.utf8))
                stream.finish()
            }
        }
        func expectEnd(_ read: () async throws -> Void) async {
            do {
                try await read()
            } catch is HTTPError {
            } catch {
                Issue.record(error)
            }
        }
        let bodies: [@Sendable () -> HTTPBody] = [
            { HTTPBody(text) }, { HTTPBody(source()) }, { HTTPBody(source(), length: 15) },
        ]
        for body in bodies {
            await expectEnd { _ = try await body().collect(upTo: limit) }
            await expectEnd { for try await _ in body().lines(upTo: limit) {} }
            await expectEnd { for try await _ in body().serverSentEvents(upTo: limit) {} }
            await expectEnd {
                for try await _ in body().jsonLines(of: HTTPJSON.self, upTo: limit) {}
            }
            await expectEnd {
                let sequence = HTTPBody("\u{1E}" + text)
                for try await _ in sequence.jsonSequence(of: HTTPJSON.self, upTo: limit) {}
            }
            await expectEnd {
                for try await part in body().parts(boundary: "b", headLimit: limit) {
                    part.body.abandon()
                }
            }
            var request = try HTTPRequest(.get, "https://h/")
            request.delivery = .buffered(upTo: limit)
            let mock = MockSession { HTTPResponse(.ok, body: body(), to: $0) }
            await expectEnd { _ = try await mock.response(for: request).data() }
            await expectEnd { _ = try await mock.response(Data.self, for: request) }
            let response = try await mock.response(for: "https://h/")
            await expectEnd { _ = try await response.buffered(upTo: limit) }
        }
        _ = try? StructuredField.List(parsing: ["a, b"], upTo: limit)
        _ = try? StructuredField.Dictionary(parsing: ["a, b"], upTo: limit)
        _ = try? StructuredField.Item(parsing: ["a"], upTo: limit)
    }

    @Test(arguments: Extremes.lengths)
    func `a body of any declared length is sent whole, or refused`(length: Int64) async throws {
        let body = { HTTPBody(AsyncStream<Data> { $0.finish() }, length: length) }
        let form = try HTTPRequest(.post, "https://h/").multipart {
            for name in ["a", "b", "c"] { try $0.add(body(), name: name) }
        }
        #expect(length >= 0 || form.body.length.map { $0 < 0 } == true)
        for request in [
            form, try HTTPRequest(.post, "https://h/", body: body()),
            try HTTPRequest(.post, "https://h/").stream(length: length) {
                AsyncStream<Data> { $0.finish() }
            },
        ] {
            if length < 0 {
                #expect(throws: HTTPError.self) { try request.checkedTarget() }
            } else {
                _ = try request.checkedTarget()
            }
            _ = try? await request.body.collect(upTo: 1000)
        }
        #expect(throws: HTTPError.self) {
            try HTTPBody(file: "/proc/self/exe", range: min(length, -1)..<max(length, 1))
        }
        let file = try TemporaryFile("")
        let descriptor = try file.openForWriting()
        defer { file.close(descriptor) }
        // Only where no file of such a length comes of it.
        if length > 1 || length < 0 {
            await #expect(throws: HTTPError.self) {
                try await HTTPBody("text").write(toDescriptor: descriptor, at: length)
            }
        }
        _ = try? await body().write(toDescriptor: -1, at: length)
    }
}
