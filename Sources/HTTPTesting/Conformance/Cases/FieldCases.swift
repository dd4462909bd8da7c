import HTTPCore
import HTTPFormats

/// Cases about the fields of a response.
enum FieldCases {
    private typealias Case = TransportConformance.Case

    static let all: [TransportConformance.Case] = kept + limits + refused

    private static func head(
        _ name: String, _ fields: String,
        check: @escaping @Sendable (ConformanceExam, HTTPHeaders) throws -> Void
    ) -> Case {
        .answer(
            .fields, name, to: [.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")]
        ) { exam, response, _ in try check(exam, response.headers) }
    }

    private static let kept = [
        head("an empty value is kept", "X-Empty:\r\nX-Next: 1\r\n") { exam, headers in
            try exam.expect(headers["X-Empty"], is: "", "X-Empty")
            try exam.expect(headers["X-Next"], is: "1", "X-Next")
        },
        head("a value of blanks is empty", "X-Blank: \t \r\n") { exam, headers in
            try exam.expect(headers["X-Blank"], is: "", "X-Blank")
        },
        head("blanks around a value are no part of it", "X-A:   a  b  \r\n") { exam, headers in
            try exam.expect(headers["X-A"], is: "a  b", "X-A")
        },
        head("tabs around a value are no part of it", "X-A:\ta\tb\t\r\n") { exam, headers in
            try exam.expect(headers["X-A"], is: "a\tb", "X-A")
        },
        head("a value right behind the colon is taken", "X-A:a\r\n") { exam, headers in
            try exam.expect(headers["X-A"], is: "a", "X-A")
        },
        head("cookies stay apart and in order", "Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=2\r\n") {
            exam, headers in
            try exam.expect(headers[values: .setCookie], is: ["a=1; Path=/", "b=2"], "Set-Cookie")
        },
        head("fields of one name stay apart and in order", "X-A: 1\r\nX-B: 0\r\nX-A: 2\r\n") {
            exam, headers in
            try exam.expect(headers[values: "X-A"], is: ["1", "2"], "X-A")
        },
        head("names that differ in case are one name", "Vary: a\r\nvary: b\r\n") { exam, headers in
            let members = headers[values: .vary].joined(separator: ", ")
            try exam.expect(members, is: "a, b", "Vary")
        },
        head("a name may have every character of a token", "!#$%&'*+-.^_`|~0aZ: 1\r\n") {
            exam, headers in
            try exam.expect(headers["!#$%&'*+-.^_`|~0aZ"], is: "1", "the value")
        },
        Case(.fields, "a folded line continues its value, or is refused") {
            exam, server, delivery in
            server.enqueue([
                .send(
                    "HTTP/1.1 200 OK\r\nX-A: 1\r\n 2\r\n\t3\r\nX-B: 4\r\n"
                        + "Content-Length: 2\r\n\r\nok"), .close,
            ])
            do {
                let response = try await exam.get(server, delivery: delivery)
                try exam.expect(response.headers["X-A"], is: "1 2 3", "X-A")
                try exam.expect(response.headers["X-B"], is: "4", "X-B")
                try exam.expect(try await response.text(), is: "ok", "the body")
            } catch let error as HTTPError {
                try exam.expect(error.code, is: .protocolViolation, "the error's code")
            }
            try await exam.expectFine(server)
        },
        head("names are kept as spelled", "x-lower: 1\r\nX-UPPER: 2\r\n") { exam, headers in
            let names = headers.map(\.name.spelling)
            try exam.expect(names.contains("x-lower") && names.contains("X-UPPER"), "\(names)")
        },
        head("fields are kept in order", "X-C: 1\r\nX-A: 1\r\nX-D: 1\r\nX-B: 1\r\n") {
            exam, headers in
            let names = headers.map(\.name.spelling).filter { $0.hasPrefix("X-") }
            try exam.expect(names, is: ["X-C", "X-A", "X-D", "X-B"], "the order")
        },
        head("an entity tag is kept with its quotes", "ETag: W/\"a, b\"\r\n") { exam, headers in
            try exam.expect(headers[.eTag], is: "W/\"a, b\"", "ETag")
        },
        head("a colon in a value is kept", "Location2: http://a:80/b?c:d\r\n") { exam, headers in
            try exam.expect(headers["Location2"], is: "http://a:80/b?c:d", "Location2")
        },
        head("a value in UTF-8 is read", "X-Name: Çelik – 名\r\n") { exam, headers in
            try exam.expect(headers["X-Name"], is: "Çelik – 名", "X-Name")
        },
        Case.answer(
            .fields, "a value that is not UTF-8 is read as ISO 8859-1",
            to: [
                .send(
                    Array("HTTP/1.1 200 OK\r\nX-Name: ".utf8) + [0xC7, 0x61]
                        + Array("\r\nContent-Length: 0\r\n\r\n".utf8))
            ]
        ) { exam, response, _ in
            try exam.expect(response.headers["X-Name"], is: "Ça", "X-Name")
        },
        Case.answer(
            .fields, "a head in single bytes is read",
            to: [
                .drip(
                    "HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok".utf8.map { [$0] },
                    every: .microseconds(100))
            ]
        ) { exam, response, bytes in
            try exam.expect(response.headers["X-A"], is: "1", "X-A")
            try exam.expect(bytes, is: .init("ok".utf8), "the body")
        },
    ]

    private static let limits = [
        head("a value of 8 KiB is taken", "X-Long: \(filler(8 << 10))\r\n") { exam, headers in
            try exam.expect(headers["X-Long"]?.utf8.count, is: 8 << 10, "bytes of X-Long")
        },
        head("a line of 60 KiB is taken", "X-Long: \(filler(60 << 10))\r\n") { exam, headers in
            try exam.expect(headers["X-Long"]?.utf8.count, is: 60 << 10, "bytes of X-Long")
        },
        head("200 KiB of fields are taken", lines(200, of: 1000)) { exam, headers in
            let count = headers.filter { $0.value.utf8.count == 1000 }.count
            try exam.expect(count, is: 200, "fields")
        },
        head("900 fields are taken", lines(900, of: 10)) { exam, headers in
            try exam.expect(headers["X-899"] != nil, "the last field is missing")
        },
        tooLarge("300 KiB of fields are refused", lines(300, of: 1017)),
        tooLarge("a line beyond 64 KiB is refused", "X-Long: \(filler((64 << 10) + 1))\r\n"),
        tooLarge("more than 1,000 fields are refused", lines(1001, of: 1)),
    ]

    private static func filler(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func lines(_ count: Int, of length: Int) -> String {
        (0..<count).reduce(into: "") { $0 += "X-\($1): \(filler(length))\r\n" }
    }

    private static func tooLarge(_ name: String, _ fields: String) -> Case {
        .refusal(
            .fields, name, .headersTooLarge,
            of: [.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n"), .close])
    }

    private static let refused = [
        ("a blank before the colon is refused", "X-A : 1"),
        ("a folded line that continues nothing is refused", " X-A: 1"),
        ("a line without a colon is refused", "X-A"),
        ("a field without a name is refused", ": 1"), ("a blank in a name is refused", "X A: 1"),
        ("NUL in a value is refused", "X-A: a\u{0}b"),
        ("a control character in a value is refused", "X-A: a\u{1}b"),
    ].map { name, line in
        Case.refusal(
            .fields, name, .protocolViolation,
            of: [.send("HTTP/1.1 200 OK\r\n\(line)\r\nContent-Length: 0\r\n\r\n"), .close])
    }
}
