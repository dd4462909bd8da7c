import HTTPCore
import HTTPFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Cases about content codings: decoded if the transport has asked for them, else left as they are.
enum CodingCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = decoded + asked + broken

    private static let samples: [(coding: String, bytes: [UInt8])] = [
        (
            "gzip",
            [
                31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54,
                5, 0, 0, 0,
            ]
        ),
        ("deflate", [0x78, 0x9C, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 6, 0x2C, 2, 0x15]),
        ("br", [0x0B, 2, 0x80] + Array("hello".utf8) + [3]),
        ("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x20, 5, 0x29, 0, 0] + Array("hello".utf8)),
    ]

    /// Returns a script that sends "hello", coded if the client has asked for the coding.
    private static func hello(_ coding: String, _ bytes: [UInt8]) -> LoopbackScript {
        [
            .choose { request in
                var response = LoopbackResponse.ok("hello")
                if members(of: request["Accept-Encoding"]).contains(coding) {
                    response.fields.append(("Content-Encoding", coding))
                    response.content = .bytes(bytes)
                }
                return response.script(answering: request)
            }
        ]
    }

    private static func members(_ list: String) -> [String] {
        list.lowercased().split(separator: ",").map { member in
            String(member.prefix { $0 != ";" }.filter { $0 != " " })
        }
    }

    private static func members(of list: String?) -> [String] { members(list ?? "") }

    private static let decoded =
        samples.map { coding, bytes in
            Case.answer(
                .coding, "content in \(coding) that was asked for is decoded",
                to: hello(coding, bytes)
            ) { exam, response, decoded in
                try exam.expect(
                    String(decoding: decoded, as: UTF8.self), is: "hello", "the body")
                try exam.expect(
                    response.headers[.contentEncoding], is: nil, "Content-Encoding")
                let length = response.headers[.contentLength]
                try exam.expect(length == nil || length == "5", "the length of the coded form")
            }
        } + [
            Case.answer(
                .coding, "identity is no coding",
                to: [.send("HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\n\r\nhello"), .close]
            ) { exam, _, bytes in
                try exam.expect(String(decoding: bytes, as: UTF8.self), is: "hello", "the body")
            }
        ]

    private static let asked = [
        Case(.coding, "an Accept-Encoding of the request's own is sent alone") { exam in
            let seen = try await exam.received(headers: [.acceptEncoding: "gzip;q=0.5"])
            let values = seen.fields.filter { $0.name.lowercased() == "accept-encoding" }
                .map(\.value)
            try exam.expect(values, is: ["gzip;q=0.5"], "Accept-Encoding")
        },
        Case(.coding, "no coding is asked for beside a Range") { exam in
            let seen = try await exam.received(headers: [.range: "bytes=0-1"])
            let wanted = members(of: seen["Accept-Encoding"]).filter { $0 != "identity" }
            try exam.expect(wanted, is: [], "Accept-Encoding")
        },
        untouched(
            "what the request has asked for itself is not decoded", [.acceptEncoding: "gzip"]),
        untouched("a coded range is not decoded", [.range: "bytes=0-24"]),
    ]

    private static func untouched(_ name: String, _ headers: HTTPHeaders) -> Case {
        let sample = samples[0]
        let response = LoopbackResponse(
            fields: [("Content-Encoding", sample.coding)], content: .bytes(sample.bytes))
        return .answer(.coding, name, headers: headers, to: [.respond(response)]) {
            exam, response, bytes in
            try exam.expect(bytes, is: sample.bytes, "the body")
            try exam.expect(response.headers[.contentEncoding], is: "gzip", "Content-Encoding")
            try exam.expect(response.headers[.contentLength], is: "25", "Content-Length")
        }
    }

    /// 128 MiB of zeros, in gzip twice, in Base64.
    private static let stacked =
        "H4sIAAAAAAACA+3cLU4DYRSG0emPmCCgiCoEXQG6CWlCDRoS0ASBRKKZhKAwbAKNYgE4dgC4LoAgCEERhs4s"
        + "43vPUVdfeXPz7N7VVWc4+ngeDNZDc//3+FlvVAAAAEDhmvebUXcMqGbt6+HRKQAAAFC6863NcX8U+D3bWVoH"
        + "AAAAFO92MZ/0HwJf15dj6wAAAIDiTX9WB/0t4KV92j6xDwAAACjem2AAAAAARBEMAAAAgCyCAQAAAJBFMAAA"
        + "AADCCAYAAABAFsEAAAAAyCIYAAAAAFkEAwAAACCMYAAAAABkEQwAAACALIIBAAAAkEUwAAAAAMIIBgAAAEAW"
        + "wQAAAADIIhgAAAAAWQQDAAAAIIxgAAAAAGQRDAAAAIAsggEAAACQRTAAAAAAwggGAAAAQBbBAAAAAMgiGAAA"
        + "AABZBAMAAAAgjGAAAAAAZBEMAAAAgCwPi/msewyYfLdX+8NpBQAApFrtHS8vmvVQ/wNO6FZOrv0BAA=="

    private static let broken = [
        Case(.coding, "a broken coding that was asked for is an error") { exam in
            try await exam.serve { server in
                let coding = try await exam.asksForGzip(server)
                server.enqueue([
                    .send(
                        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
                            + "Content-Length: 5\r\n\r\nhello")
                ])
                if coding {
                    try await exam.expectError(.contentDecodingFailed) {
                        _ = try await exam.get(server).data()
                    }
                } else {
                    // Not as text: that refuses a coding that nothing decoded.
                    try exam.expect(
                        Array(try await exam.get(server).data()), is: Array("hello".utf8),
                        "the body")
                }
                try await exam.expectFine(server)
            }
        },
        Case(.coding, "several codings at once are refused") { exam in
            try await exam.serve { server in
                let coding = try await exam.asksForGzip(server)
                for fields in ["gzip, gzip", "gzip\r\nContent-Encoding: deflate", "x-gzip,gzip"] {
                    server.enqueue([
                        .send(
                            "HTTP/1.1 200 OK\r\nContent-Encoding: \(fields)\r\n"
                                + "Content-Length: 5\r\n\r\nhello")
                    ])
                    if coding {
                        try await exam.expectError(.contentDecodingFailed) {
                            _ = try await exam.get(server).data()
                        }
                    } else {
                        try exam.expect(
                            Array(try await exam.get(server).data()), is: Array("hello".utf8),
                            "the body")
                    }
                    try await exam.expectFine(server)
                }
            }
        },
        Case(.coding, "content with several codings is not decoded at all") { exam in
            guard let bomb = Data(base64Encoded: stacked) else { return }
            try await exam.serve { server in
                guard try await exam.asksForGzip(server) else { return }
                server.enqueue([
                    .send(
                        Array(
                            """
                            HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip\r\n\
                            Content-Length: \(bomb.count)\r\n\r\n
                            """.utf8) + bomb)
                ])
                let request = try HTTPRequest(.get, server.url("/")).beginningCall()
                try await exam.expectError(.contentDecodingFailed) {
                    _ = try await exam.session.response(for: request).data()
                }
                // A session that decodes on a queue has counted the bytes before its next exchange.
                try await exam.expectFine(server)
                let decoded = request.call?.timeline.exchanges.first?.decodedBodyBytes
                try exam.expect(decoded ?? 0, is: 0, "the bytes after decoding")
            }
        },
        Case(.coding, "a content coding on a folded line is honoured, left alone or refused") {
            exam in
            for delivery in Case.bothDeliveries {
                try await exam.serve { server in
                    guard try await exam.asksForGzip(server) else { return }
                    let bytes = samples[0].bytes
                    server.enqueue([
                        .send(
                            Array(
                                """
                                HTTP/1.1 200 OK\r\nContent-Encoding:\r\n gzip\r\n\
                                Content-Length: \(bytes.count)\r\n\r\n
                                """.utf8) + bytes)
                    ])
                    do {
                        let response = try await exam.get(server, delivery: delivery)
                        let body = Array(try await response.data())
                        let isDecoded = response.headers[.contentEncoding] == nil
                        try exam.expect(
                            body, is: isDecoded ? Array("hello".utf8) : bytes, "the body")
                    } catch let error as HTTPError {
                        try exam.expect(
                            [.protocolViolation, .contentDecodingFailed].contains(error.code),
                            "the error is \(error)")
                    }
                    try await exam.expectFine(server)
                }
            }
        },
        Case(.coding, "an unknown coding is an error, or left as it is") { exam in
            try await exam.serve { server in
                server.enqueue([
                    .send(
                        "HTTP/1.1 200 OK\r\nContent-Encoding: x-rot13\r\n"
                            + "Content-Length: 5\r\n\r\nhello")
                ])
                do {
                    let response = try await exam.get(server)
                    try exam.expect(try await response.text(), is: "hello", "the body")
                    try exam.expect(
                        response.headers[.contentEncoding], is: "x-rot13", "Content-Encoding")
                } catch let error as HTTPError {
                    try exam.expect(error.code, is: .contentDecodingFailed, "the error's code")
                }
                try await exam.expectFine(server)
            }
        },
    ]
}

extension ConformanceExam {
    fileprivate func asksForGzip(_ server: LoopbackServer) async throws -> Bool {
        try await expectFine(server)
        return try await server.nextRequest()["Accept-Encoding"]?.contains("gzip") ?? false
    }
}
