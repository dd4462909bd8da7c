import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct FormURLEncodedTests {
    private static var login: [String: Any?] {
        [
            "username": "a b", "password": "p&q=1+", "p": 1, "p2": 3, "none": nil,
        ]
    }

    // MARK: Forms

    @Test(.rows("S1-21"))
    func `a form escapes as a query does`() {
        let form = FormURLEncoded(Self.login)
        #expect(form.text == "p=1&p2=3&password=p%26q%3D1%2B&username=a%20b")
        #expect(form.contentType == "application/x-www-form-urlencoded")
    }

    @Test(.rows("B-3"))
    func `or as browsers do`() {
        let form = FormURLEncoded(Self.login, style: .whatwg)
        #expect(form.text == "p=1&p2=3&password=p%26q%3D1%2B&username=a+b")
        #expect(form.contentType == "application/x-www-form-urlencoded")
        #expect(FormURLEncoded([.init("~", "*/?")], style: .whatwg).text == "%7E=*%2F%3F")
    }

    @Test(.rows("S1-21", "B-3"))
    func `a body brings its content type`() throws {
        let request = try HTTPRequest(.post, "https://h/")
        let sent = request.formURLEncoded(Self.login)
        #expect(sent.body.bytes == Data(FormURLEncoded(Self.login).text.utf8))
        #expect(
            sent.headers[values: .contentType] == [
                "application/x-www-form-urlencoded"
            ])
        #expect(request.body.isEmpty && request.headers.isEmpty)
        #expect(sent.method == .post)
        let standard = request.formURLEncoded(["a": "b c"], style: .whatwg)
        #expect(standard.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(standard.body.bytes == Data("a=b+c".utf8))
    }

    @Test(.rows("S1-21"))
    func `a content type that was set stays`() throws {
        let request = try HTTPRequest(.post, "https://h/", headers: ["content-type": "text/x"])
        let sent = request.formURLEncoded(Self.login)
        #expect(sent.headers[values: .contentType] == ["text/x"])
        #expect(!sent.body.isEmpty)
    }

    private struct Login: Encodable {
        var user = "é"
        var tags = [1, 2]
    }

    @Test(.rows("B-3"))
    func `properties make a form`() throws {
        let request = try HTTPRequest(.post, "https://h/").formURLEncoded(
            propertiesOf: Login(), encoding: QueryEncoding(array: .noBrackets))
        #expect(request.body.bytes == Data("tags=1&tags=2&user=%C3%A9".utf8))
        #expect(throws: HTTPError.self) { try FormURLEncoded(propertiesOf: [1]) }
    }

    @Test func `any bytes can be read`() {
        #expect(FormURLEncoded(parsing: "").pairs.isEmpty)
        #expect(FormURLEncoded(parsing: "&&&").pairs.isEmpty)
        #expect(FormURLEncoded(parsing: [0, 0xFF, 0x3D]).pairs == [.init("\0\u{FFFD}", "")])
        #expect(
            FormURLEncoded(parsing: "a=%&b=%4&c=%zz&d=a=b").pairs
                == [.init("a", "%"), .init("b", "%4"), .init("c", "%zz"), .init("d", "a=b")])
        let form = FormURLEncoded(parsing: "a=1&a=2&é=%C3%A9")
        #expect(form["a"] == "1" && form["é"] == "é" && form["b"] == nil)
    }

    @Test func `what is written in either style is read back`() {
        let scalars = (0..<0x300).compactMap { Unicode.Scalar($0) }
        let all = String(String.UnicodeScalarView(scalars))
        for style in [FormURLEncoded.Style.percentEncoded, .whatwg] {
            let form = FormURLEncoded(
                [.init(all, all), .init("", ""), .init("x", "")], style: style)
            #expect(FormURLEncoded(parsing: form.text).pairs == form.pairs)
            #expect(form.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
    }

    @Test func `an enormous form takes linear time`() {
        let clock = ContinuousClock()
        let time = clock.measure {
            let form = FormURLEncoded(parsing: String(repeating: "a=%&", count: 100_000))
            #expect(form.pairs.count == 100_000)
            #expect(form.text.utf8.count == 6 * 100_000 - 1)
        }
        #expect(time < .seconds(20))
    }
}
