import Testing

@testable import HTTPTesting

@Suite struct LoopbackInterpreterTests {
    /// An interpreter whose actions are sentences, and whose handler's choices the test makes.
    private struct Play {
        var interpreter: LoopbackInterpreter

        init(_ program: LoopbackInterpreter.Program, options: LoopbackOptions = LoopbackOptions()) {
            self.interpreter = LoopbackInterpreter(program, options: options)
        }

        mutating func callAsFunction(_ input: LoopbackInterpreter.Input? = nil) -> [String] {
            if let input { interpreter.receive(input) }
            var actions: [String] = []
            while let action = interpreter.next() { actions.append(describe(action)) }
            return actions
        }

        mutating func receive(_ text: String) -> [String] { self(.received(Array(text.utf8)[...])) }

        private func describe(_ action: LoopbackInterpreter.Action) -> String {
            switch action {
            case .write(let bytes): "write \(String(decoding: bytes, as: UTF8.self))"
            case .generate(let from, let count): "generate \(from)+\(count)"
            case .arm(let duration): "arm \(duration)"
            case .arrive: "arrive"
            case .choose(_, let request): "choose \(request.target) \(request.text)"
            case .halfClose: "halfClose"
            case .end(let ending): "end \(ending)"
            case .requestBegan(let request): "began \(request.target)"
            case .requestEnded(let request): "ended \(request.contentCount)"
            case .exchangeEnded: "finished"
            }
        }
    }

    private static let get = "GET /1 HTTP/1.1\r\n\r\n"
    private static func post(_ count: Int) -> String {
        "POST /p HTTP/1.1\r\nContent-Length: \(count)\r\n\r\n"
    }
    private static let handler: LoopbackScript = [.awaitHead, .choose { _ in [] }]

    @Test func `a connection's script sends before anything is received, then closes`() {
        var play = Play(.connection([.send("hi")]))
        #expect(play() == ["write hi"])
        #expect(play() == [])
        #expect(play(.written) == ["end serverClosed"])
        #expect(play(.written) == [])
    }

    @Test func `a request is chosen for, answered and followed by the next, sent in one piece`() {
        var play = Play(.requests(Self.handler))
        #expect(play() == [])
        let both = Self.get + Self.get.replacing("1 ", with: "2 ")
        #expect(play.receive(both) == ["began /1", "ended 0", "choose /1 "])
        #expect(play(.chosen([.send("a")])) == ["write a"])
        #expect(play(.written) == ["finished", "began /2", "ended 0", "choose /2 "])
        #expect(play(.chosen([])) == ["finished"])
        #expect(play(.peerClosed) == ["end clientClosed"])
    }

    @Test func `content that a script leaves is read before the next request`() {
        var play = Play(.requests(Self.handler))
        _ = play()
        #expect(play.receive(Self.post(3) + "a") == ["began /p", "choose /p "])
        #expect(play(.chosen([.send("early")])) == ["write early"])
        #expect(play(.written) == [])
        #expect(play.receive("b") == [])
        #expect(
            play.receive("c" + Self.get) == [
                "ended 3", "finished", "began /1", "ended 0", "choose /1 ",
            ])
    }

    @Test func `waiting for content goes by bytes, by the end, or by the limit`() {
        var play = Play(
            .connection([
                .awaitContent(2), .send("two"), .awaitContentEnd, .send("end"), .awaitHead,
                .awaitContentEnd(orMoreThan: 4), .send("long"), .reset,
            ]))
        #expect(play() == [])
        #expect(play.receive(Self.post(4)) == ["began /p"])
        #expect(play.receive("a") == [])
        #expect(play.receive("b") == ["write two"])
        #expect(play.receive("c") == [])
        #expect(play(.written) == [])
        #expect(play.receive("d") == ["ended 4", "write end"])
        #expect(play(.written) == ["finished"])
        #expect(play.receive(Self.post(5)) == ["began /p", "write long"])
        #expect(play(.written) == ["end serverReset"])
    }

    @Test func `100 Continue is sent if it is expected, and not if content has come`() {
        let program = LoopbackInterpreter.Program.requests([
            .awaitHead, .continueIfExpected, .awaitContentEnd, .choose { _ in [] },
        ])
        let expecting = Self.post(1).replacing("\r\n\r\n", with: "\r\nExpect: 100-Continue\r\n\r\n")
        var asked = Play(program)
        #expect(asked.receive(expecting) == ["began /p", "write HTTP/1.1 100 Continue\r\n\r\n"])
        #expect(asked(.written) == [])
        #expect(asked.receive("x") == ["ended 1", "choose /p x"])

        var early = Play(program)
        #expect(early.receive(expecting + "x") == ["began /p", "ended 1", "choose /p x"])
        var silent = Play(program)
        #expect(silent.receive(Self.post(1)) == ["began /p"])
    }

    @Test func `a drip is writes with pauses between them`() {
        var play = Play(.connection([.drip([[65], [66], [67]], every: .seconds(1)), .stall]))
        #expect(play() == ["write A"])
        #expect(play(.written) == ["arm 1.0 seconds"])
        #expect(play(.timerDue) == ["write B"])
        #expect(play(.written) == ["arm 1.0 seconds"])
        #expect(play(.timerDue) == ["write C"])
        #expect(play(.written) == [])
    }

    @Test func `generated bytes go in one run, in chunks, or at a rate`() {
        var plain = Play(.connection([.generate(1 << 30, from: 5), .stall]))
        #expect(plain() == ["generate 5+1073741824"])
        #expect(plain(.written) == [])

        var chunked = Play(.connection([.generateChunks(300_000), .stall]))
        #expect(chunked() == ["write 40000\r\n"])
        #expect(chunked(.written) == ["generate 0+262144"])
        #expect(chunked(.written) == ["write \r\n"])
        #expect(chunked(.written) == ["write 93e0\r\n"])
        #expect(chunked(.written) == ["generate 262144+37856"])
        #expect(chunked(.written) == ["write \r\n"])
        #expect(chunked(.written) == [])

        var slow = Play(.connection([.generate(5, rate: 100), .stall]))
        #expect(slow() == ["generate 0+2"])
        #expect(slow(.written) == ["arm 0.02 seconds"])
        #expect(slow(.timerDue) == ["generate 2+2"])
        #expect(slow(.written) == ["arm 0.02 seconds"])
        #expect(slow(.timerDue) == ["generate 4+1"])
        #expect(slow(.written) == [])
    }

    @Test func `a gate holds the script, and other inputs do not pass it`() {
        var play = Play(.connection([.pause(until: LoopbackGate()), .send("a")]))
        #expect(play() == ["arrive"])
        #expect(play(.written) == [])
        #expect(play(.timerDue) == [])
        #expect(play.receive("x") == [])
        #expect(play(.gateOpened) == ["write a"])
    }

    @Test func `a chosen script is played before the rest of the one that chose it`() {
        var play = Play(.connection([.choose { _ in [] }, .send("after"), .reset]))
        #expect(play.receive(Self.get) == ["began /1", "ended 0", "choose /1 "])
        #expect(play(.chosen([.send("within")])) == ["write within"])
        #expect(play(.written) == ["write after"])
    }

    @Test func `reading stops and starts by the script, and with the next request`() {
        var play = Play(.connection([.stopReading, .send("a"), .startReading, .send("b")]))
        _ = play()
        #expect(!play.interpreter.isReading)
        _ = play(.written)
        #expect(play.interpreter.isReading)

        var next = Play(.requests(Self.handler))
        _ = next.receive(Self.get)
        #expect(next(.chosen([.stopReading, .send("a")])) == ["write a"])
        #expect(!next.interpreter.isReading)
        #expect(next(.written) == ["finished"])
        #expect(next.interpreter.isReading)
    }

    @Test func `requests ahead of their turn are read up to a limit`() {
        var play = Play(.requests(Self.handler))
        _ = play.receive(Self.get)
        #expect(play.interpreter.isReading)
        _ = play(.received([UInt8](repeating: 65, count: LoopbackInterpreter.backlogLimit)[...]))
        #expect(!play.interpreter.isReading)
    }

    @Test func `closing while the client sends lingers until the client closes or time is up`() {
        for last in [LoopbackInterpreter.Input.peerClosed, .peerReset, .timerDue] {
            var play = Play(.connection([.awaitHead, .send("no"), .close]))
            #expect(play.receive(Self.post(9)) == ["began /p", "write no"])
            #expect(play(.written) == ["halfClose", "arm 1.0 seconds"])
            #expect(play.interpreter.isReading)
            #expect(play.receive("abcdefghi") == [])
            #expect(play(last) == ["end serverClosed"])
        }
        var complete = Play(.connection([.awaitHead, .close]))
        #expect(complete.receive(Self.get) == ["began /1", "ended 0", "end serverClosed"])
    }

    @Test(
        arguments: [
            [.awaitHead], [.awaitContent(1)], [.stall], [.pause(.seconds(9))],
            [.pause(until: LoopbackGate())],
        ] as [LoopbackScript])
    func `a client that closes ends every wait, one that resets too`(script: LoopbackScript) {
        for (input, ending) in [
            (LoopbackInterpreter.Input.peerClosed, "end clientClosed"),
            (.peerReset, "end clientReset"),
        ] {
            var play = Play(.connection(script))
            _ = play()
            #expect(play(input) == [ending])
            #expect(play.interpreter.isOver)
        }
    }

    @Test func `a client that closes is sent what the script can still send`() {
        var play = Play(.connection([.send("a"), .send("b"), .pause(.seconds(1)), .send("c")]))
        _ = play()
        #expect(play(.peerClosed) == [])
        #expect(play(.written) == ["write b"])
        #expect(play(.written) == ["arm 1.0 seconds", "end clientClosed"])
    }

    @Test func `a half-closed client is served through pauses if the options say so`() {
        var options = LoopbackOptions()
        options.toleratesHalfClose = true
        var play = Play(.connection([.pause(.seconds(1)), .send("c")]), options: options)
        _ = play()
        #expect(play(.peerClosed) == [])
        #expect(play(.timerDue) == ["write c"])
    }

    @Test func `a malformed request is answered 400 by a handler, and ends a connection's script`()
    {
        var handled = Play(.requests(Self.handler))
        let actions = handled.receive("nonsense\r\n\r\n")
        #expect(actions.count == 1)
        #expect(actions.first?.hasPrefix("write HTTP/1.1 400 ") == true)
        #expect(handled(.written).first == "halfClose")

        var scripted = Play(.connection([.send("a"), .awaitHead, .send("b")]))
        _ = scripted()
        _ = scripted.receive("nonsense\r\n\r\n")
        #expect(scripted(.written) == ["end serverClosed"])
    }
}
