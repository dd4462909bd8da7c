import HTTPCore
import HTTPFormats

/// Cases about status lines, and about responses without content.
enum StatusCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = kept + lines + interim + refused + contentless

    private static let kept = [200, 206, 299, 400, 404, 417, 500, 599, 600, 999].map { code in
        Case.answer(
            .status, "status \(code) is kept as it is",
            to: [.send("HTTP/1.1 \(code) x\r\nContent-Length: 4\r\n\r\nbody")]
        ) { exam, response, bytes in
            try exam.expect(response.status.code, is: code, "the status")
            try exam.expect(bytes, is: .init("body".utf8), "the body")
        }
    }

    private static func taken(_ name: String, _ line: String) -> Case {
        .answer(.status, name, to: [.send("\(line)\r\nContent-Length: 4\r\n\r\nbody")]) {
            exam, response, bytes in
            try exam.expect(response.status.code, is: 200, "the status")
            try exam.expect(bytes, is: .init("body".utf8), "the body")
        }
    }

    private static let lines = [
        taken("any reason phrase is taken", "HTTP/1.1 200 Ça va, 404  bien"),
        taken("an empty reason phrase is taken", "HTTP/1.1 200 "),
        taken("a status line that ends at the code is taken", "HTTP/1.1 200"),
        Case.answer(
            .status, "HTTP/1.0 is answered",
            to: [.send("HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody"), .close]
        ) { exam, response, bytes in
            try exam.expect(response.status.code, is: 200, "the status")
            try exam.expect(bytes, is: .init("body".utf8), "the body")
        },
        Case.answer(
            .status, "the version of the response is told",
            to: [.send("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"), .close]
        ) { exam, response, _ in
            try exam.expect(response.head.version, is: .http1_0, "the version")
        },
    ]

    private static let interim = [
        passedOver("100 is passed over", "HTTP/1.1 100 Continue\r\n\r\n"),
        passedOver(
            "103 and its fields are passed over",
            "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nContent-Length: 5\r\n\r\n"),
        passedOver(
            "twenty interim responses are passed over",
            String(repeating: "HTTP/1.1 103 x\r\n\r\n", count: 20)),
        Case.refusal(
            .status, "a status line of 1 MB is refused", .headersTooLarge,
            of: [
                .send("HTTP/1.1 200 " + String(repeating: "x", count: 1_000_000) + "\r\n\r\n"),
                .close,
            ]),
        Case.refusal(
            .status, "thirty interim responses are too many", .headersTooLarge,
            of: [
                .send(String(repeating: "HTTP/1.1 103 x\r\n\r\n", count: 30)),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .close,
            ]),
    ]

    private static func passedOver(_ name: String, _ heads: String) -> Case {
        .answer(
            .status, name, to: [.send("\(heads)HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")]
        ) { exam, response, bytes in
            try exam.expect(response.status.code, is: 200, "the status")
            try exam.expect(response.headers[values: .link], is: [], "Link")
            try exam.expect(bytes, is: .init("body".utf8), "the body")
        }
    }

    private static let refused =
        [
            ("status 099 is refused", "HTTP/1.1 099 x"),
            ("status 1000 is refused", "HTTP/1.1 1000 x"),
            ("a status of letters is refused", "HTTP/1.1 abc x"),
            ("an unrequested switch of protocols is refused", "HTTP/1.1 101 x"),
            ("a version in small letters is refused", "http/1.1 200 OK"),
            ("a version that is none is refused", "HTTP/9.9 200 OK"),
            ("a version that the connection does not speak is refused", "HTTP/2.0 200 OK"),
            ("what is not HTTP is refused", "SSH-2.0-OpenSSH_9.2"),
            ("two blanks before the status are refused", "HTTP/1.1  200 OK"),
        ].map { name, line in
            Case.refusal(
                .status, name, .protocolViolation,
                of: [.send("\(line)\r\nContent-Length: 4\r\n\r\nbody"), .close])
        } + [
            Case.refusal(
                .status, "a switch of protocols is refused at once, not when the connection ends",
                .protocolViolation,
                of: [
                    .send("HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), .stall,
                ]),
            Case.refusal(
                .status, "a switch of protocols is refused, whatever follows", .protocolViolation,
                of: [
                    .send("HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody"), .close,
                ]),
        ]

    /// A response that ends at its head, whatever length the head declares.
    private struct Contentless {
        let name: String
        let method: HTTPMethod
        let status: Int
        let fields: String

        var script: LoopbackScript {
            [.send("HTTP/1.1 \(status) x\r\n\(fields)X-Own: 1\r\n\r\n")]
        }
    }

    private static let contentless =
        answersWithoutContent.map { answer in
            Case.answer(
                .status, "\(answer.name) ends at its head", method: answer.method,
                to: answer.script
            ) { exam, response, bytes in
                try exam.expect(bytes, is: [], "the body")
                try exam.expect(response.status.code, is: answer.status, "the status")
                try exam.expect(response.headers["X-Own"], is: "1", "X-Own")
                if answer.fields.contains("gzip") {
                    try exam.expect(
                        response.headers[.contentEncoding], is: "gzip", "Content-Encoding")
                }
            }
        } + [
            Case(.status, "a connection is kept after answers without content") { exam, server in
                for answer in answersWithoutContent {
                    server.enqueue(answer.script)
                    let response = try await exam.send(answer.method, to: server)
                    try exam.expect(try await response.text(), is: "", "the body")
                }
                try exam.expect(server.connections.accepted, is: 1, "connections")
            }
        ]

    private static let answersWithoutContent: [Contentless] = {
        let length = "Content-Length: 1000\r\n"
        let coding = "Content-Length: 20\r\nContent-Encoding: gzip\r\n"
        return [
            Contentless(name: "HEAD with a length", method: .head, status: 200, fields: length),
            Contentless(
                name: "HEAD with chunked coding", method: .head, status: 200,
                fields: "Transfer-Encoding: chunked\r\n"),
            Contentless(name: "HEAD without framing", method: .head, status: 200, fields: ""),
            Contentless(name: "HEAD that is not found", method: .head, status: 404, fields: length),
            Contentless(
                name: "HEAD with a content coding", method: .head, status: 200, fields: coding),
            Contentless(name: "204 with a length", method: .get, status: 204, fields: length),
            Contentless(name: "204 without framing", method: .post, status: 204, fields: ""),
            Contentless(
                name: "205 with length 0", method: .get, status: 205,
                fields: "Content-Length: 0\r\n"),
            Contentless(name: "304 with a length", method: .get, status: 304, fields: length),
            Contentless(name: "304 without framing", method: .get, status: 304, fields: ""),
            Contentless(
                name: "304 with a content coding", method: .get, status: 304, fields: coding),
        ]
    }()
}
