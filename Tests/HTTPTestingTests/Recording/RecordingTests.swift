import HTTPCore
import HTTPTesting
import Testing
import PortableFoundation

@Suite struct RecordingTests {
    private func exchange(
        _ method: String, _ url: String, body: String = "", status: Int = 200
    ) -> Recording.Exchange {
        var request = Recording.Request(method, url)
        request.body = Data(body.utf8)
        return Recording.Exchange(request, .response(Recording.Response(status: status)))
    }

    @Test func `the file is sorted, indented and readable, and reads back as it was`() throws {
        var request = Recording.Request("POST", "https://h/users?page=1")
        request.fields = [
            Recording.Field("Accept", "*/*"), Recording.Field("Authorization", nil),
        ]
        request.body = Data(#"{"name":"Ada","tags":[],"big":12345678901234567890}"#.utf8)
        var response = Recording.Response(status: 201)
        response.fields = [Recording.Field("Content-Type", "text/plain"), Recording.Field("E", "")]
        response.body = Data("two\nlines \"quoted\"".utf8)
        response.trailers = [Recording.Field("T", "v: w")]
        var binary = Recording.Response(status: 200)
        binary.body = Data([0xFF, 0x00])
        binary.failure = Recording.Failure(code: "bodyIncomplete", message: "cut")
        var recording = Recording()
        recording.append(Recording.Exchange(request, .response(response)))
        recording.append(
            Recording.Exchange(Recording.Request("GET", "https://h/b"), .response(binary)))
        recording.append(
            Recording.Exchange(
                Recording.Request("GET", "https://a/"),
                .failure(Recording.Failure(code: "timedOut", message: "too late"))))
        let expected = #"""
            {
              "version": 1,
              "exchanges": [
                {
                  "request": {
                    "method": "GET",
                    "url": "https://a/"
                  },
                  "failure": {
                    "code": "timedOut",
                    "message": "too late"
                  }
                },
                {
                  "request": {
                    "method": "GET",
                    "url": "https://h/b"
                  },
                  "response": {
                    "status": 200,
                    "body": {
                      "base64": "/wA="
                    },
                    "failure": {
                      "code": "bodyIncomplete",
                      "message": "cut"
                    }
                  }
                },
                {
                  "request": {
                    "method": "POST",
                    "url": "https://h/users?page=1",
                    "headers": [
                      "Accept: */*",
                      "Authorization: <redacted>"
                    ],
                    "body": {
                      "json": {
                        "name": "Ada",
                        "tags": [],
                        "big": 12345678901234567890
                      }
                    }
                  },
                  "response": {
                    "status": 201,
                    "headers": [
                      "Content-Type: text/plain",
                      "E: "
                    ],
                    "body": {
                      "text": "two\nlines \"quoted\""
                    },
                    "trailers": [
                      "T: v: w"
                    ]
                  }
                }
              ]
            }

            """#
        #expect(String(decoding: recording.serialized(), as: UTF8.self) == expected)
        #expect(try Recording(parsing: recording.serialized()) == recording)
    }

    @Test(arguments: [
        "", "null", "1", #""text""#, "{\"a\": 1}", "{ \"a\":1}", "[1.0,1e3]", "é\u{301}",
        "a\r\n\u{0}",
        "\u{FEFF}{}", "{\"a\":1,\"a\":2}", "\"\\u0041\"",
    ])
    func `a body comes back byte for byte`(body: String) throws {
        var recording = Recording()
        recording.append(exchange("POST", "https://h/", body: body))
        let read = try Recording(parsing: recording.serialized())
        #expect(read.exchanges.first?.request.body == Data(body.utf8))
    }

    @Test func `a field comes back byte for byte`() throws {
        var recording = Recording()
        var sent = exchange("GET", "https://h/")
        sent.request.fields.append(Recording.Field("X-Mark", "\u{301}: \u{301}"))
        recording.append(sent)
        let read = try Recording(parsing: recording.serialized())
        #expect(
            read.exchanges.first?.request.fields.last?.value?.utf8.elementsEqual(
                "\u{301}: \u{301}".utf8) == true)
    }

    @Test func `exchanges are sorted by URL, method and body, equal ones as they came`() {
        let sorted = [
            exchange("GET", "https://h/a", status: 201),
            exchange("GET", "https://h/a", status: 200),
            exchange("PUT", "https://h/a", body: "1"), exchange("PUT", "https://h/a", body: "2"),
            exchange("GET", "https://h/b"),
        ]
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 0, 1], [3, 0, 4, 1, 2]] {
            var recording = Recording()
            for index in order { recording.append(sorted[index]) }
            #expect(recording.exchanges == sorted)
        }
    }

    @Test(arguments: [
        "", "{}", #"{"version": 2, "exchanges": []}"#,
        #"{"version": 1, "exchanges": [{"request": {"method": "GET"}}]}"#,
        #"{"version": 1, "exchanges": [{"request": {"method": "GET", "url": "u"}}]}"#,
        #"""
        {"version": 1, "exchanges": [{"request": {"method": "GET", "url": "u", \#
        "body": {"base64": "!"}}, "response": {"status": 200}}]}
        """#,
    ])
    func `what is no recording is refused, saying so`(text: String) {
        let error = #expect(throws: HTTPError.self) { try Recording(parsing: Data(text.utf8)) }
        #expect(error?.code == .decodingFailed)
    }
}

@Suite struct RecordingFileTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "recording-\(UInt64.random(in: 0 ... .max))")

    @Test func `a test has a file of its own beside its source`() {
        let file = RecordingFile(source: "/tests/LoginTests.swift")
        #expect(
            file.path
                == "/tests/Recordings/LoginTests/"
                + "a-test-has-a-file-of-its-own-beside-its-source.json")
        #expect(
            RecordingFile(test: "signsIn()", source: "/t/A.swift").path
                == "/t/Recordings/A/signsIn.json")
    }

    @Test func `writing makes the folders, replaces the file, and leaves nothing else behind`()
        throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = RecordingFile(folder.appending(path: "a/b/c.json").path())
        #expect(!file.exists)
        let missing = #expect(throws: HTTPError.self) { try file.read() }
        #expect(missing?.code == .decodingFailed)
        var recording = Recording()
        try file.write(recording)
        #expect(try file.read() == recording)
        recording.append(
            Recording.Exchange(
                Recording.Request("GET", "https://h/"), .response(Recording.Response(status: 200))))
        try file.write(recording)
        #expect(try file.read() == recording)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "a/b").path())
        #expect(names == ["c.json"])
    }

    @Test func `a file that cannot be written is an error, and the old one stays`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try RecordingFile(folder.appending(path: "file").path()).write(Recording())
        let error = #expect(throws: HTTPError.self) {
            try RecordingFile(folder.appending(path: "file/below.json").path()).write(Recording())
        }
        #expect(error?.code == .fileNotWritten)
        #expect(try RecordingFile(folder.appending(path: "file").path()).read() == Recording())
    }
}
