import HTTPCore
import TestSupport
import Testing

@Suite struct HTTPHeadersTests {
    /// Appends the text as a line of a message. Returns `true` if it became a field.
    private func add(_ line: String, to headers: inout HTTPHeaders) -> Bool {
        headers.append(line: Array(line.utf8).span)
    }

    /// Appends the text as a continuation line. Returns `true` if it joined the last field.
    private func fold(_ line: String, into headers: inout HTTPHeaders) -> Bool {
        headers.appendToLast(folded: Array(line.utf8).span)
    }

    // MARK: Order

    @Test(.rows("S4-13"))
    func `fields keep their order, their spelling and their duplicates`() {
        let headers: HTTPHeaders = ["B": "1", "a": "2", "b": "3"]
        #expect(headers.map(\.name.spelling) == ["B", "a", "b"])
        #expect(headers.map(\.value) == ["1", "2", "3"])
        #expect(headers["b"] == "1")
        #expect(headers[values: "B"] == ["1", "3"])
        #expect(headers["c"] == nil)
        #expect(headers[values: "c"] == [])
        #expect(headers.contains("A") && !headers.contains("c"))
    }

    // MARK: Setting

    @Test(.rows("S1-12", "S4-13"))
    func `set replaces every field of a name by one in the first one's place`() throws {
        var headers: HTTPHeaders = ["a": "1", "X": "old", "b": "2", "x": "older"]
        try headers.set("x", "new")
        #expect(headers == ["a": "1", "x": "new", "b": "2"])
        #expect(headers[1].name.spelling == "x")
        try headers.set("c", "3")
        #expect(headers.map(\.name) == ["a", "x", "b", "c"])
        headers["a"] = nil
        headers["B"] = "4"
        #expect(headers == ["x": "new", "B": "4", "c": "3"])
        headers[values: "x"] = ["1", "2"]
        #expect(headers == ["B": "4", "c": "3", "x": "1", "x": "2"])
    }

    @Test(.rows("S1-13"))
    func `the closure builds a section`() throws {
        let headers = try HTTPHeaders {
            $0[.accept] = "text/html"
            try $0.append(.accept, "text/plain")
        }
        #expect(headers[values: .accept] == ["text/html", "text/plain"])
        #expect(throws: HTTPError.self) { try HTTPHeaders { try $0.append("a b", "") } }
    }

    @Test func `removing and replacing leave no byte of the old value behind`() throws {
        var headers: HTTPHeaders = ["a": "1", "Cookie": "secret", "b": "2", "cookie": "secret too"]
        headers.remove(.cookie)
        #expect(headers == ["a": "1", "b": "2"])
        #expect(headers.byteCount == "a1b2".count)
        // One field, replaced: nothing is left out, and yet the old value must go.
        for value in ["a long old value", "short", ""] { try headers.set("b", value) }
        #expect(headers.byteCount == "a1b".count)
        #expect(headers == ["a": "1", "b": ""])
        headers.remove("nothing of that name")
        #expect(headers.count == 2)
    }

    @Test(.rows("S4-13"))
    func `copies are values`() {
        let original: HTTPHeaders = ["a": "1"]
        var copy = original
        copy["a"] = "2"
        copy["b"] = "3"
        #expect(original == ["a": "1"])
    }

    // MARK: Illegal fields

    static let illegalNames = ["", " ", "a b", "a:", "a\r\nb", "a\0", "é", "a\u{7F}", "a\t"]
    static let illegalValues = [
        "a\r\nb", "a\nb", "a\rb", "a\0", "\u{1B}[31m", "\u{7F}", " a", "a ", "\ta", "a\t", " ",
        "a\r\n b",
    ]
    static let legalValues = [
        "", "a", "a b", "a\tb", "\"quoted\"", "é", "日本", "a,b;c=d", "\u{80}",
    ]

    @Test(arguments: illegalNames)
    func `a name that is no token throws and changes nothing`(name: String) {
        var headers: HTTPHeaders = ["x": "1"]
        let first = #expect(throws: HTTPError.self) { try headers.append(HTTPHeaderName(name), "") }
        let second = #expect(throws: HTTPError.self) { try headers.set(HTTPHeaderName(name), "") }
        #expect(first?.code == .invalidRequest && second?.code == .invalidRequest)
        #expect(headers == ["x": "1"])
        #expect(headers.refusedName == nil)
    }

    @Test(arguments: illegalValues)
    func `an illegal value throws naming the field, and changes nothing`(value: String) {
        var headers: HTTPHeaders = ["x": "1"]
        let first = #expect(throws: HTTPError.self) { try headers.append("X-Mine", value) }
        let second = #expect(throws: HTTPError.self) { try headers.set("x", value) }
        #expect(first?.code == .invalidRequest && second?.code == .invalidRequest)
        #expect(first?.message.contains("X-Mine") == true)
        #expect(headers == ["x": "1"])
        #expect(headers.refusedName == nil)
    }

    @Test func `an illegal byte is found wherever it stands, and a legal one read`() throws {
        for length in 1...40 {
            for place in 0..<length {
                for illegal in [0, 0x08, 0x0A, 0x0D, 0x1F, 0x7F] as [UInt8] {
                    var value = [UInt8](repeating: 0x80, count: length)
                    value[place] = illegal
                    var headers = HTTPHeaders()
                    let isField = headers.append(line: (Array("x:".utf8) + value).span)
                    #expect(!isField)
                    value = [UInt8](repeating: 0x21, count: length)
                    value[place] = illegal
                    #expect(throws: HTTPError.self) {
                        try headers.append("x", String(decoding: value, as: UTF8.self))
                    }
                    #expect(headers.isEmpty)
                }
                for legal in [0x09, 0x20, 0x7E, 0x80, 0xFF] as [UInt8] {
                    var value = [UInt8](repeating: 0x7E, count: length + 2)
                    value[place + 1] = legal
                    var headers = HTTPHeaders()
                    let isField = headers.append(line: (Array("x:".utf8) + value).span)
                    #expect(isField)
                    #expect(headers.bytes(of: "x") == value)
                    let latin = String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
                    #expect(headers["x"] == latin)
                }
            }
        }
    }

    @Test func `a name is found in any case, whatever its length`() {
        for length in 1...40 {
            let name = String(repeating: "aB-", count: 14).prefix(length)
            let headers: HTTPHeaders = [HTTPHeaderName(String(name)): "1"]
            #expect(headers[HTTPHeaderName(name.uppercased())] == "1")
            #expect(headers[HTTPHeaderName(name.lowercased())] == "1")
            #expect(headers[HTTPHeaderName(String(name.dropLast()) + "c")] == nil)
            #expect(headers[HTTPHeaderName(String(name) + "c")] == nil)
            #expect(headers[HTTPHeaderName("c" + name.dropFirst())] == nil)
        }
    }

    @Test(arguments: ["hunter2\r\n", " hunter2", "hunter2\t", "\0hunter2"])
    func `no message repeats a refused value`(value: String) {
        var headers = HTTPHeaders()
        let error = #expect(throws: HTTPError.self) { try headers.append("X-Mine", value) }
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test(arguments: legalValues)
    func `a legal value is kept to the letter`(value: String) throws {
        var headers = HTTPHeaders()
        try headers.append("X", value)
        #expect(headers["X"] == value)
        #expect(headers.bytes(of: "X") == Array(value.utf8))
    }

    @Test(arguments: illegalValues)
    func `doors that cannot throw refuse the field and remember the first name`(
        value: String
    ) throws {
        let literal: HTTPHeaders = ["Ok": "1", "First": value, "Second": "a\nb"]
        #expect(literal.refusedName == "First")
        #expect(literal == ["Ok": "1", "First": value])
        #expect(literal.count == 1)

        var set: HTTPHeaders = ["First": "old"]
        set["First"] = value
        #expect(set.refusedName == "First")
        #expect(set["First"] == "old")

        var several = HTTPHeaders()
        several[values: "First"] = ["1", value, "2"]
        #expect(several.refusedName == "First")
        #expect(several[values: "First"] == ["1", "2"])
    }

    @Test(arguments: ["X-Secret", "X\r\nInjected", ""])
    func `sending refused headers throws naming the field, before anything else`(
        name: String
    ) async throws {
        var request = try HTTPRequest(.get, "https://example.com/")
        request.headers[HTTPHeaderName(name)] = "hunter2\r\n"
        request.headers[HTTPHeaderName(name)] = nil  // a refusal is not taken back
        let error = #expect(throws: HTTPError.self) { try request.checkedTarget() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(name.logSafe) == true)
        #expect(error?.description.contains("hunter2") == false)
        #expect(error?.description.contains("\r") == false)
    }

    // MARK: Secrets

    private static let secret = "hunter2"

    @Test(
        arguments: [
            ["Authorization": secret], ["cookie": secret], ["X-Api-Key": secret],
            ["a": "1", "Set-Cookie": secret],
        ] as [HTTPHeaders])
    func `no rendering shows a secret`(headers: HTTPHeaders) throws {
        let field = try #require(headers.last)
        let request = try HTTPRequest(.get, "https://example.com/", headers: headers)
        let response = HTTPResponse(.ok, headers: headers, to: request)
        var dumped = ""
        dump(headers, to: &dumped)
        dump(field, to: &dumped)
        dump(request, to: &dumped)
        dump(response, to: &dumped)
        dump(response.head, to: &dumped)
        for text in [
            "\(headers)", headers.description, headers.debugDescription, "\([headers])",
            String(reflecting: headers), "\(field)", String(reflecting: field), "\([field])",
            "\(response.head)", String(reflecting: response.head), "\(request)", "\(response)",
            "\(HTTPEvent.Kind.head(response.head))", "\(Optional(headers) as Any)", dumped,
        ] {
            #expect(!text.contains(Self.secret))
        }
        #expect(headers.description.contains("<redacted>"))
    }

    @Test func `any field can be made a secret, and any made none`() throws {
        var headers: HTTPHeaders = ["X-Mine": "hunter2", "Authorization": "public"]
        #expect(!headers.isSensitive("X-Mine") && headers.isSensitive(.authorization))
        headers.setSensitive("X-Mine")
        headers.setSensitive(.authorization, false)
        #expect(headers.description == "X-Mine: <redacted>\nAuthorization: public")
        #expect(headers.map(\.isSensitive) == [true, false])
        #expect(headers["X-Mine"] == "hunter2")  // a secret from descriptions, not from the sender
    }

    @Test func `a mark stays with what joins and what replaces`() throws {
        var headers: HTTPHeaders = ["X-Mine": "1"]
        headers.setSensitive("X-Mine")
        try headers.append("x-mine", "2")
        #expect(headers.map(\.isSensitive) == [true, true])
        try headers.set("X-Mine", "3")
        #expect(headers.map(\.isSensitive) == [true])
        headers.remove("a")
        #expect(headers.isSensitive("X-Mine"))
        headers.remove("X-Mine")
        try headers.append("X-Mine", "4")
        #expect(!headers.isSensitive("X-Mine"))
    }

    @Test func `one secret among fields of a name makes what replaces them a secret`() throws {
        var headers: HTTPHeaders = ["X": "1"]
        headers.setSensitive("X")
        headers.setSensitive("Y", false)
        try headers.append("X", "2")
        try headers.set("x", "3")
        #expect(headers.isSensitive("X"))
    }

    // MARK: Joining sections

    @Test func `another section joins field by field after these`() {
        var headers: HTTPHeaders = ["a": "1", "B": "2"]
        headers.append(contentsOf: ["b": "3", "A": "4", "c": ""])
        #expect(headers.map(\.description) == ["a: 1", "B: 2", "b: 3", "A: 4", "c: "])
        headers.append(contentsOf: headers)
        #expect(headers.count == 10 && headers[values: "b"] == ["2", "3", "2", "3"])
        headers.append(contentsOf: [:])
        #expect(headers.count == 10 && headers.refusedName == nil)
    }

    @Test func `a section joins with bytes that are not UTF-8 as they are`() {
        var other = HTTPHeaders()
        let isField = other.append(line: (Array("X: caf".utf8) + [0xE9, 0xFF]).span)
        var headers: HTTPHeaders = ["a": "é"]
        headers.append(contentsOf: other)
        #expect(isField)
        #expect(headers.bytes(of: "x") == Array("caf".utf8) + [0xE9, 0xFF])
        #expect(headers["a"] == "é")
    }

    @Test func `a section joins with its secrets, and what it says is none`() throws {
        var other: HTTPHeaders = [
            "X-Mine": "1", "Authorization": "public", "Cookie": "c", "Y": "2",
        ]
        other.setSensitive("X-Mine")
        other.setSensitive(.authorization, false)
        var headers: HTTPHeaders = ["a": "1"]
        headers.append(contentsOf: other)
        #expect(headers.map(\.isSensitive) == [false, true, false, true, false])
        try headers.append("X-Mine", "3")  // and the mark goes on holding
        #expect(headers.last?.isSensitive == true)
    }

    @Test func `what joins a field marked as a secret is one, and no mark makes a secret public`() {
        var headers: HTTPHeaders = ["X-Mine": "1", "Authorization": "public"]
        headers.setSensitive("X-Mine")
        headers.setSensitive(.authorization, false)
        headers.append(contentsOf: ["x-mine": "2", "authorization": "hunter2"])
        #expect(headers.map(\.isSensitive) == [true, false, true, true])
    }

    @Test func `a refusal comes along, and the first one stays`() {
        let other: HTTPHeaders = ["Ok": "1", "Second": "a\nb"]
        var headers: HTTPHeaders = ["a": "1"]
        headers.append(contentsOf: other)
        #expect(headers.refusedName == "Second")
        var refusing: HTTPHeaders = ["First": "a\nb"]
        refusing.append(contentsOf: other)
        #expect(refusing.refusedName == "First")
    }

    // MARK: From a wire

    @Test(
        arguments: [
            ("Host: example.com", ("Host", "example.com")), ("a:b", ("a", "b")),
            ("a:", ("a", "")), ("a: \t ", ("a", "")), ("a:  b \t", ("a", "b")),
            ("a: b: c", ("a", "b: c")), ("a:b\tc", ("a", "b\tc")), ("a: é", ("a", "é")),
            ("X-Empty-List: ,,", ("X-Empty-List", ",,")), ("a::", ("a", ":")),
            ("", nil), (":", nil), (": b", nil), ("a", nil), ("a b: c", nil), ("a : b", nil),
            (" a: b", nil), ("a\t: b", nil), ("a: b\0", nil), ("a: b\rc", nil), ("a: b\nc", nil),
            ("a: \u{7F}", nil), ("é: b", nil), ("a(: b", nil), ("a: b\r", nil),
        ] as [(String, (String, String)?)])
    func `a line of a message is a field or is refused`(
        line: String, expected: (name: String, value: String)?
    ) {
        var headers = HTTPHeaders()
        let isField = add(line, to: &headers)
        #expect(isField == (expected != nil))
        #expect(headers.first?.name.spelling == expected?.name)
        #expect(headers.first?.value == expected?.value)
        #expect(headers.refusedName == nil)
    }

    @Test(
        arguments: [
            ("a: b", " c", "b c"), ("a: b", "\t c \t", "b c"), ("a: b", "   ", "b"),
            ("a:", "  c", "c"), ("a:  ", "  c", "c"), ("a: b", " c\0", nil), ("a: b", " \r c", nil),
        ] as [(String, String, String?)])
    func `a folded line joins the last value with one space`(
        line: String, continuation: String, expected: String?
    ) {
        var headers: HTTPHeaders = ["first": "1"]
        let isField = add(line, to: &headers)
        let isJoined = fold(continuation, into: &headers)
        #expect(isField && isJoined == (expected != nil))
        // A refused fold leaves the field as it was.
        #expect(headers == ["first": "1", "a": expected ?? "b"])
        let isNext = add("c: d", to: &headers)
        #expect(isNext && headers["c"] == "d")
    }

    @Test func `a folded line without a field before it is refused`() {
        var headers = HTTPHeaders()
        let isJoined = fold(" a", into: &headers)
        #expect(!isJoined && headers.isEmpty)
    }

    @Test func `a fold joins the last field after others were replaced`() throws {
        var headers: HTTPHeaders = ["a": "1", "b": "2"]
        try headers.set("a", "replaced")
        let isJoined = fold(" more", into: &headers)
        #expect(isJoined && headers == ["a": "replaced", "b": "2 more"])
    }

    @Test func `bytes that are not UTF-8 read as ISO 8859-1, and are kept`() {
        var headers = HTTPHeaders()
        let isField = headers.append(line: (Array("X: caf".utf8) + [0xE9]).span)
        #expect(isField)
        #expect(headers["X"] == "café")
        #expect(headers.bytes(of: "x") == Array("caf".utf8) + [0xE9])
        #expect(headers.bytes(of: "y") == nil)
    }

    @Test func `ten thousand lines are read in the order they came`() {
        var headers = HTTPHeaders()
        let areFields = (0..<10_000).allSatisfy { add("X-\($0): v", to: &headers) }
        #expect(areFields)
        #expect(headers.count == 10_000)
        #expect(headers["x-9999"] == "v")
        #expect(headers[4321].name == "X-4321")
    }

    // MARK: Collection and equality

    @Test(.rows("S4-13"))
    func `a section is a collection of its fields`() {
        let headers: HTTPHeaders = ["a": "1", "b": "2", "c": "3"]
        #expect(headers.count == 3 && !headers.isEmpty && HTTPHeaders().isEmpty)
        #expect(headers.reversed().map(\.value) == ["3", "2", "1"])
        #expect(headers.dropFirst().first?.name == "b")
        #expect(headers.description == "a: 1\nb: 2\nc: 3")
        #expect(headers[0].description == "a: 1")
    }

    @Test(
        .rows("S4-13"),
        arguments: [
            (["a": "1"], ["A": "1"], true), (["a": "1"], ["a": "2"], false),
            (["a": "1", "b": "2"], ["b": "2", "a": "1"], false), ([:], [:], true),
            (["a": "1"], ["a": "1", "a": "1"], false), (["ab": "c"], ["a": "bc"], false),
            (["a": "x\n"], [:], false),
        ] as [(HTTPHeaders, HTTPHeaders, Bool)])
    func `sections are equal field by field in order, names without regard to case`(
        a: HTTPHeaders, b: HTTPHeaders, areEqual: Bool
    ) {
        #expect((a == b) == areEqual)
        if areEqual { #expect(a.hashValue == b.hashValue) }
    }
}
