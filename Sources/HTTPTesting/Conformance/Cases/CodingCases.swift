import HTTPCore
import HTTPFormats
import PortableFoundation

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

    fileprivate static func members(of list: String?) -> [String] { members(list ?? "") }

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

    private static let broken = [
        Case(.coding, "a broken coding that was asked for is an error") { exam, server in
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
        },
        Case(.coding, "a coding that is cut short is an error") { exam, server in
            let wanted = try await exam.asked(server)
            for (coding, bytes) in samples where wanted.contains(coding) {
                for count in [bytes.count / 2, bytes.count - 1] {
                    try await exam.expectRefusal(
                        of: Array(bytes.prefix(count)), in: coding, from: server)
                }
            }
        },
        Case(.coding, "what follows the end of a coding is an error") { exam, server in
            let wanted = try await exam.asked(server)
            for (coding, bytes) in samples where wanted.contains(coding) {
                try await exam.expectRefusal(
                    of: bytes + Array("more".utf8), in: coding, from: server)
            }
        },
        Case(.coding, "a sum that does not fit is an error") { exam, server in
            let wanted = try await exam.asked(server)
            for (coding, bytes) in samples.prefix(2) where wanted.contains(coding) {
                var bytes = bytes
                bytes[bytes.count - (coding == "gzip" ? 5 : 1)] ^= 1
                try await exam.expectRefusal(of: bytes, in: coding, from: server)
            }
        },
        Case(.coding, "several members of gzip are one content") { exam, server in
            guard try await exam.asked(server).contains("gzip") else { return }
            let member = samples[0].bytes
            try await exam.expect(
                "hellohellohello", of: member + member + member, in: "gzip", from: server)
        },
        Case(.coding, "two and three codings are taken off one after the other") { exam, server in
            guard try await exam.asked(server).contains("gzip") else { return }
            let two = storedInGzip(samples[0].bytes)
            for fields in ["gzip, gzip", "x-gzip\r\nContent-Encoding: identity,GZIP"] {
                try await exam.expect("hello", of: two, in: fields, from: server)
            }
            try await exam.expect(
                "hello", of: storedInGzip(two), in: "gzip, gzip, gzip", from: server)
        },
        Case(.coding, "more than three codings are refused") { exam, server in
            guard try await exam.asked(server).contains("gzip") else { return }
            try await exam.expectRefusal(
                of: storedInGzip(storedInGzip(storedInGzip(samples[0].bytes))),
                in: "gzip, gzip, gzip, gzip", from: server)
        },
        Case(.coding, "a content coding on a folded line is honoured, left alone or refused") {
            exam, server, delivery in
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
                try exam.expect(body, is: isDecoded ? Array("hello".utf8) : bytes, "the body")
            } catch let error as HTTPError {
                try exam.expect(
                    [.protocolViolation, .contentDecodingFailed].contains(error.code),
                    "the error is \(error)")
            }
            try await exam.expectFine(server)
        },
        Case(.coding, "an unknown coding is left as it is, and so are those around it") {
            exam, server in
            for fields in ["x-rot13", "aws-chunked, gzip", "gzip, utf-8"] {
                server.enqueue(Self.answer(Array("hello".utf8), in: fields))
                let response = try await exam.get(server)
                try exam.expect(
                    String(decoding: try await response.data(), as: UTF8.self), is: "hello",
                    "the body")
                try exam.expect(response.headers[.contentEncoding], is: fields, "Content-Encoding")
                try await exam.expectFine(server)
            }
        },
    ]

    /// Returns bytes as a member of gzip that does not compress them (RFC 1951 §3.2.4).
    private static func storedInGzip(_ bytes: [UInt8]) -> [UInt8] {
        func littleEndian(_ number: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        let count = UInt32(bytes.count)
        return [31, 139, 8, 0, 0, 0, 0, 0, 0, 255, 1] + littleEndian(count, 2)
            + littleEndian(~count, 2) + bytes + littleEndian(~sum, 4) + littleEndian(count, 4)
    }

    fileprivate static func answer(_ bytes: [UInt8], in codings: String) -> LoopbackScript {
        [
            .send(
                Array(
                    """
                    HTTP/1.1 200 OK\r\nContent-Encoding: \(codings)\r\n\
                    Content-Length: \(bytes.count)\r\n\r\n
                    """.utf8) + bytes)
        ]
    }
}

extension ConformanceExam {
    /// Returns the codings that the session asks for.
    fileprivate func asked(_ server: LoopbackServer) async throws -> [String] {
        try await expectFine(server)
        return CodingCases.members(of: try await server.nextRequest()["Accept-Encoding"])
    }

    fileprivate func asksForGzip(_ server: LoopbackServer) async throws -> Bool {
        try await asked(server).contains("gzip")
    }

    fileprivate func expect(
        _ text: String, of bytes: [UInt8], in codings: String, from server: LoopbackServer
    ) async throws {
        for delivery in TransportConformance.Case.bothDeliveries {
            server.enqueue(CodingCases.answer(bytes, in: codings))
            let response = try await get(server, delivery: delivery)
            let body = String(decoding: try await response.data(), as: UTF8.self)
            try expect(body, is: text, "the body in \(codings)")
            try expect(response.headers[.contentEncoding], is: nil, "Content-Encoding")
            try await expectFine(server)
        }
    }

    fileprivate func expectRefusal(
        of bytes: [UInt8], in codings: String, from server: LoopbackServer
    ) async throws {
        for delivery in TransportConformance.Case.bothDeliveries {
            server.enqueue(CodingCases.answer(bytes, in: codings))
            try await expectError(.contentDecodingFailed) {
                _ = try await get(server, delivery: delivery).data()
            }
            try await expectFine(server)
        }
    }
}
