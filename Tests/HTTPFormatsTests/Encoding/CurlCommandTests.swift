import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite(.timeLimit(.minutes(5))) struct CurlCommandTests {
    /// Returns the arguments that a shell passes to `curl`.
    private func arguments(_ command: String, variables: String = "") throws -> [String] {
        let script = try TemporaryFile(
            "curl() { for word; do printf '%s\\0' \"$word\"; done; }\n\(variables)\n\(command)\n")
        let output = try TemporaryFile("")
        let status = try ChildCommand.run(["/bin/sh", script.path], writingTo: output.path)
        #expect(status == 0)
        return try output.text().split(separator: "\0", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    // MARK: The command

    @Test(.rows("B-16"))
    func `a plain GET is a URL`() throws {
        let request = try HTTPRequest(.get, "https://example.com/a?b=c")
        #expect(request.curlCommand() == "curl 'https://example.com/a?b=c' \\\n  --compressed")
    }

    @Test(.rows("B-16"))
    func `a POST of JSON says no method, since its body does`() throws {
        let request = try HTTPRequest(.post, "https://example.com/").json(["it": "o'clock"])
        #expect(
            request.curlCommand() == """
                curl 'https://example.com/' \\
                  -H 'Content-Type: application/json' \\
                  --compressed \\
                  --data-raw '{"it":"o'\\''clock"}'
                """)
    }

    @Test(
        .rows("B-16"),
        arguments: [
            (HTTPMethod.get, false, nil), (.head, false, "--head"), (.post, true, nil),
            (.post, false, "-X 'POST'"), (.get, true, "-X 'GET'"), (.put, true, "-X 'PUT'"),
            (.delete, false, "-X 'DELETE'"), (HTTPMethod("o'k"), false, "-X 'o'\\''k'"),
        ])
    func `the method is named only where curl would take another`(
        method: HTTPMethod, hasBody: Bool, option: String?
    ) throws {
        var request = try HTTPRequest(method, "http://h/")
        if hasBody { request = request.text("x") }
        let lines = request.curlCommand().split(separator: "\n").map {
            $0.trimmingPrefix { $0 == " " }
        }
        let said = lines.filter { $0.hasPrefix("-X") || $0.hasPrefix("--head") }
        #expect(
            said.map { $0.replacing(" \\", with: "") } == (option.map { [Substring($0)] } ?? []))
    }

    @Test(.rows("B-16"))
    func `secrets are variables of the shell, and nowhere in the text`() throws {
        let request = try HTTPRequest(
            .get, "https://h/?q=1&access_token=Hidden1&sig=Hidden2",
            headers: [
                "Authorization": "Bearer Hidden3", "Cookie": "a=Hidden4", "X-2-Api-Key": "Hidden5",
                "Accept": "text/plain",
            ]
        ).headers {
            try $0.append(.cookie, "b=Hidden6")
            try $0.append("X-Mine", "Hidden7")
            $0.setSensitive("X-Mine")
        }
        let command = request.curlCommand()
        #expect(!command.contains("Hidden"))
        #expect(
            try arguments(
                command,
                variables: """
                    AUTHORIZATION='Bearer `1` $x' COOKIE=c1 COOKIE_2="c 2" X_2_API_KEY=k X_MINE=m
                    ACCESS_TOKEN=t SIG=s
                    """)
                == [
                    "https://h/?q=1&access_token=t&sig=s", "-H", "Authorization: Bearer `1` $x",
                    "-H", "Cookie: c1", "-H", "X-2-Api-Key: k", "-H", "Accept: text/plain", "-H",
                    "Cookie: c 2", "-H", "X-Mine: m", "--compressed",
                ])
        #expect(
            try arguments(request.curlCommand(showingSecrets: true))
                == [
                    "https://h/?q=1&access_token=Hidden1&sig=Hidden2", "-H",
                    "Authorization: Bearer Hidden3", "-H", "Cookie: a=Hidden4", "-H",
                    "X-2-Api-Key: Hidden5", "-H", "Accept: text/plain", "-H", "Cookie: b=Hidden6",
                    "-H", "X-Mine: Hidden7", "--compressed",
                ])
    }

    @Test(.rows("B-16"))
    func `user information and a fragment do not show`() throws {
        let command = try HTTPRequest(.get, "https://user:Hidden@h/#token=Hidden").curlCommand()
        #expect(!command.contains("Hidden"))
        #expect(command.contains(#"'https://'"$USERINFO"'@h/'"#))
    }

    @Test(.rows("B-16"))
    func `random text comes through a shell as it is`() throws {
        var random = SystemRandomNumberGenerator()
        // Characters that mean something to a shell, that a shell or a log may not keep, and a
        // combining mark, which forms one `Character` with the scalar before it.
        let alphabet = Array("'\"\\$`!;&|<>(){}[]*?~#% \n\taé\u{1F600}@-=\u{301}".unicodeScalars)
        for _ in 0..<TestCounts.scaled(200) {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<40 { scalars.append(alphabet.randomElement(using: &random) ?? "'") }
            let text = String(scalars)
            let field = String(scalars.filter { $0 != "\n" }).trimmed
            let request = try HTTPRequest(.post, "https://h/", headers: ["X-A": field]).text(text)
            #expect(
                try arguments(request.curlCommand())
                    == [
                        "https://h/", "-H", field.isEmpty ? "X-A;" : "X-A: \(field)", "-H",
                        "Content-Type: text/plain; charset=utf-8", "--compressed", "--data-raw",
                        text,
                    ])
        }
    }

    @Test(.rows("B-16"))
    func `no combining mark gets a quote past the shell`() throws {
        let text = "'\u{301}; echo out; '\u{301}"
        let request = try HTTPRequest(.post, "https://h/").text(text)
        #expect(request.curlCommand().hasSuffix("'\\''\u{301}; echo out; '\\''\u{301}'"))
        #expect(try arguments(request.curlCommand()).last == text)
    }

    @Test(.rows("B-16"))
    func `a field without a value is sent, not taken away`() throws {
        let request = try HTTPRequest(.get, "http://h/", headers: ["X-Empty": ""])
        #expect(request.curlCommand().contains("-H 'X-Empty;'"))
    }

    @Test(.rows("B-16"))
    func `what is no text, too long or elsewhere is read from a file`() throws {
        let request = try HTTPRequest(.put, "http://h/")
        let bodies = [
            HTTPBody(Data([0xFF])), HTTPBody("a\0b"), HTTPBody("\u{1B}[2J"),
            HTTPBody(Data(repeating: 0x61, count: 64 << 10 + 1)),
            HTTPBody(AsyncStream<Data> { $0.finish() }),
        ]
        for body in bodies {
            let words = try arguments(request.body(body).curlCommand(bodyFile: "the body"))
            #expect(words.suffix(2) == ["--data-binary", "@the body"])
            // Without this, curl would call it a form.
            #expect(words.contains("Content-Type:"))
        }
        let file = try TemporaryFile("abc")
        #expect(try arguments(request.file(file.path).curlCommand()).last == "@" + file.path)
        #expect(try arguments(request.file(file.path, range: 0..<2).curlCommand()).last == "@body")
    }

    @Test(.rows("B-16"))
    func `text that starts with @ is text`() throws {
        let words = try arguments(
            HTTPRequest(.post, "http://h/").text("@/etc/passwd").curlCommand())
        #expect(words.suffix(2) == ["--data-raw", "@/etc/passwd"])
    }

    @Test(.rows("B-16"))
    func `the URL is sent to the byte`() throws {
        #expect(
            try HTTPRequest(.get, "http://[::1]:8/a").curlCommand().contains("--globoff"))
        #expect(
            try HTTPRequest(.get, "http://h/a/../b").curlCommand().contains("--path-as-is"))
        #expect(
            try arguments(HTTPRequest(.get, "http://h/'$(a)").curlCommand()).first
                == "http://h/'$(a)")
    }

    @Test(.rows("B-16"))
    func `version and limits of time are options`() throws {
        let request = try HTTPRequest(.get, "http://h/").version(.http1_1)
            .timeouts(HTTPTimeouts(connect: .milliseconds(1500), idle: .never, total: .seconds(3)))
        let command = request.curlCommand()
        #expect(command.contains("--http1.1"))
        #expect(command.contains("--connect-timeout 1.5"))
        #expect(command.contains("--max-time 3.0"))
    }

    @Test(.rows("B-16"))
    func `bytes of a field that are no UTF-8 come through`() throws {
        var request = try HTTPRequest(.get, "http://h/")
        let line = Array("X-A: a\u{27}".utf8 + [0xE9])
        let isField = request.headers.append(line: line.span)
        #expect(isField)
        let script = try TemporaryFile(
            "curl() { printf '%s' \"$3\" | od -An -tx1; }\n\(request.curlCommand())\n")
        let output = try TemporaryFile("")
        #expect(
            try ChildCommand.run(["/bin/sh", script.path], writingTo: output.path) == 0)
        #expect(
            try output.text().split(whereSeparator: \.isWhitespace).joined()
                == "582d413a206127e9")
    }
}

extension String {
    /// The text without blanks around it. It compares scalars, because a blank with a combining
    /// mark is one `Character`.
    fileprivate var trimmed: String {
        let isBlank: (UnicodeScalar) -> Bool = { $0 == " " || $0 == "\t" }
        let rest = unicodeScalars.drop(while: isBlank).reversed().drop(while: isBlank)
        var scalars = UnicodeScalarView()
        scalars.append(contentsOf: rest.reversed())
        return String(scalars)
    }
}
