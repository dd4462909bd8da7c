import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct HTTPJSONTests {
    typealias Reason = HTTPJSON.ParseError.Reason

    private func text(_ json: HTTPJSON) throws -> String {
        String(decoding: try json.serialized(), as: UTF8.self)
    }

    // MARK: Reading

    @Test(
        arguments: [
            ("null", .null), (" true\n", true), ("\tfalse\r", false), ("0", 0), ("-12", -12),
            ("1.5", 1.5), ("\"\"", ""), ("[]", []), ("{}", [:]), ("[ 1 , [ ] ]", [1, []]),
            ("{ \"a\" : { \"b\" : [ null ] } }", ["a": ["b": [.null]]]),
            (#""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00\u0000""#, "\"\\/\u{8}\u{C}\n\r\tAé😀\0"),
            ("\"é😀\u{7F}\u{2028}\"", "é😀\u{7F}\u{2028}"), (#""a\u0062c\n""#, "abc\n"),
            ("\u{FEFF}1", 1), ("\"\u{FEFF}\"", "\u{FEFF}"),
        ] as [(String, HTTPJSON)])
    func `text of RFC 8259 is read`(text: String, json: HTTPJSON) throws {
        #expect(try HTTPJSON(parsing: text) == json)
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[", .unexpectedEnd, 1),
            ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
            ("[1,]", .unexpectedCharacter, 3),
            ("[,1]", .unexpectedCharacter, 1), ("[1 2]", .unexpectedCharacter, 3),
            ("{\"a\"}", .unexpectedCharacter, 4), ("{\"a\":1,}", .unexpectedCharacter, 7),
            ("{a:1}", .unexpectedCharacter, 1), ("{\"a\":1", .unexpectedEnd, 6),
            ("{\"a\" 1}", .unexpectedCharacter, 5), ("[1}", .unexpectedCharacter, 2),
            ("1 2", .trailingCharacters, 2), ("]", .unexpectedCharacter, 0),
            ("tru", .unexpectedEnd, 3), ("trux", .unexpectedCharacter, 3),
            ("nullx", .trailingCharacters, 4),
            ("NaN", .unexpectedCharacter, 0), ("Infinity", .unexpectedCharacter, 0),
            ("01", .invalidNumber, 1), ("-", .unexpectedEnd, 1), ("+1", .unexpectedCharacter, 0),
            ("1.", .unexpectedEnd, 2), (".5", .unexpectedCharacter, 0), ("1.e1", .invalidNumber, 2),
            ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3), ("-x", .invalidNumber, 1),
            ("0x1", .trailingCharacters, 1), ("'a'", .unexpectedCharacter, 0),
            ("\"a", .unexpectedEnd, 2), ("\"a\nb\"", .controlCharacter, 2),
            ("\"\0\"", .controlCharacter, 1),
            (#""a\x""#, .invalidEscape, 2), (#""\u12""#, .invalidEscape, 1),
            (#""\u12g4""#, .invalidEscape, 1),
            (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1),
            (#""\ud800\u0041""#, .loneSurrogate, 1), (#""\ud800\ud800""#, .loneSurrogate, 1),
            (#""\ud800\n""#, .loneSurrogate, 1), (#""\"#, .unexpectedEnd, 2),
            ("// c\n1", .unexpectedCharacter, 0), ("1\u{FEFF}", .trailingCharacters, 1),
        ] as [(String, Reason, Int)])
    func `everything else is an error with its place`(text: String, reason: Reason, offset: Int) {
        #expect(throws: HTTPJSON.ParseError(reason: reason, offset: offset)) {
            try HTTPJSON(parsing: text)
        }
    }

    @Test(
        arguments: [
            ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC3, 0xA9, 0xC3, 0x22], 3),
            ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0x5C, 0x6E, 0xF4, 0x90, 0x80, 0x80, 0x22], 3),
            ([0x7B, 0x22, 0x80, 0x22, 0x3A, 0x31, 0x7D], 2),
        ] as [([UInt8], Int)])
    func `invalid UTF-8 in a string is an error with its place`(bytes: [UInt8], offset: Int) {
        #expect(throws: HTTPJSON.ParseError(reason: .invalidUTF8, offset: offset)) {
            try HTTPJSON(parsing: bytes)
        }
    }

    @Test func `depth has a limit, in reading and in writing`() throws {
        func nested(_ open: String, _ close: String, _ depth: Int) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let deepest = try HTTPJSON(parsing: nested(open, close, 512))
            #expect(try text(deepest) == nested(open, close, 512))
            let error = #expect(throws: HTTPJSON.ParseError.self) {
                try HTTPJSON(parsing: nested(open, close, 513))
            }
            #expect(error?.reason == .tooDeep && error?.offset == 512 * open.utf8.count)
            let written = #expect(throws: HTTPError.self) {
                try HTTPJSON.array([deepest]).serialized()
            }
            #expect(written?.code == .encodingFailed)
        }
        #expect(throws: HTTPJSON.ParseError.self) {
            try HTTPJSON(parsing: String(repeating: "[", count: 1_000_000))
        }
    }

    @Test func `cut anywhere, a text is an error and no crash`() throws {
        let whole = #"{"a":[1,-2.5e+3,"é\u00e9\ud83d\ude00",true,false,null,{}],"b":""}"#
        #expect(throws: Never.self) { try HTTPJSON(parsing: whole) }
        let bytes = Array(whole.utf8)
        for count in 0..<bytes.count {
            #expect(throws: HTTPJSON.ParseError.self) {
                try HTTPJSON(parsing: bytes.prefix(count))
            }
        }
    }

    // MARK: Numbers

    @Test(
        arguments: [
            "0", "-0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
            "1.0", "1.10", "0.1000000000000000055511151231257827", "1e400", "-1E-400", "1E+2",
            "3.141592653589793238462643383279", "1e999999999999999999999999",
        ])
    func `a number is written with the digits it was read with`(number: String) throws {
        #expect(try text(HTTPJSON(parsing: number)) == number)
        #expect(HTTPJSON.Number(number)?.description == number)
    }

    @Test(
        arguments: [
            ("1", "1.0"), ("1000", "1e3"), ("0.5", "5E-1"), ("-0", "0"), ("0e99", "0.00"),
            ("1.50", "1.5"),
            ("12345678901234567890", "1234567890123456789.0e1"), ("1e-400", "10e-401"),
        ])
    func `numbers of one value are equal however they are written`(a: String, b: String) throws {
        let (a, b) = (try #require(HTTPJSON.Number(a)), try #require(HTTPJSON.Number(b)))
        #expect(a == b && a.hashValue == b.hashValue)
        #expect(a.int64 == b.int64 && a.double == b.double)
    }

    @Test(
        arguments: [
            ("1", "2"), ("1", "-1"), ("9007199254740993", "9007199254740992.0"), ("1e400", "1e401"),
            ("0.1", "0.1000000000000000055511151231257827"),
            ("1e999999999999999999999", "1e-999999999999999999999"),
        ])
    func `numbers of different values are not`(a: String, b: String) throws {
        #expect(try #require(HTTPJSON.Number(a)) != #require(HTTPJSON.Number(b)))
    }

    @Test func `a number is what fits`() {
        #expect(HTTPJSON.Number("1e3")?.int64 == 1000 && HTTPJSON.Number("1.5")?.int64 == nil)
        #expect(HTTPJSON.Number("-9223372036854775808.0")?.int64 == .min)
        #expect(HTTPJSON.Number("9223372036854775808")?.int64 == nil)
        #expect(HTTPJSON.Number("1e999999999999999999999")?.int64 == nil)
        #expect(HTTPJSON.Number("1e999")?.double == nil && HTTPJSON.Number("1e-999")?.double == 0)
        #expect(HTTPJSON.Number(0.1) == HTTPJSON.Number("0.1"))
        #expect(
            HTTPJSON.Number(2.0).description == "2" && HTTPJSON.Number(1e21).description == "1e+21")
        for text in ["", " 1", "1 ", "01", "inf", "nan", "\"1\"", "[1]"] {
            #expect(HTTPJSON.Number(text) == nil)
        }
        #expect(
            HTTPJSON.Number(.nan) != HTTPJSON.Number(1) && HTTPJSON.Number(.infinity).double == nil)
    }

    // MARK: Look-up

    @Test func `look-up says nil for what is not there`() {
        let json: HTTPJSON = ["s": "t", "n": 1, "d": 1.5, "b": true, "z": .null, "a": [1, "x"]]
        #expect(json["s"]?.string == "t" && json["n"]?.int == 1 && json["d"]?.double == 1.5)
        #expect(
            json["b"]?.bool == true && json["z"] == .null && json["a"]?[1]?.string == "x")
        #expect(json["q"] == nil && json["a"]?[2] == nil && json["a"]?[-1] == nil && json[0] == nil)
        #expect(json["s"]?.int == nil && json["d"]?.int == nil && json["a"]?["x"] == nil)
        #expect(json.object?.map(\.name) == ["s", "n", "d", "b", "z", "a"])
    }

    @Test(arguments: [3, 20])
    func `an object keeps its order through every change`(count: Int) {
        var object = HTTPJSON.Object(
            (0..<count).reversed().map { ("k\($0)", HTTPJSON.number(.init(Int64($0)))) })
        let names = (0..<count).reversed().map { "k\($0)" }
        #expect(object.map(\.name) == names)
        object["k1"] = "new"
        #expect(object.map(\.name) == names && object["k1"] == "new")
        object["k1"] = nil
        #expect(object.map(\.name) == names.filter { $0 != "k1" } && object["k1"] == nil)
        for name in names where name != "k1" { #expect(object[name] != nil) }
        object["k1"] = 1
        #expect(object.last?.name == "k1")
        #expect(
            object
                == HTTPJSON.Object(
                    (0..<count).map { ("k\($0)", HTTPJSON.number(.init(Int64($0)))) }))
        object["k0"] = 7
        #expect(
            object
                != HTTPJSON.Object(
                    (0..<count).map { ("k\($0)", HTTPJSON.number(.init(Int64($0)))) }))
    }

    @Test func `of members with one name the last counts, and names are told apart by bytes`()
        throws
    {
        #expect(try text(HTTPJSON(parsing: #"{"a":1,"b":2,"a":3}"#)) == #"{"a":3,"b":2}"#)
        let json = try HTTPJSON(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(json.object?.count == 2)
        #expect(json["\u{E9}"] == 1 && json["e\u{301}"] == 2)
    }

    // MARK: Writing

    @Test func `writing escapes what must be, and sorts on request`() throws {
        let json: HTTPJSON = [
            "b": "\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}é😀", "a": [.null, true, 1.5], "B": [:],
        ]
        #expect(
            try text(json)
                == #"{"b":"\"\\/\b\f\n\r\t\u0001\u001f\#u{7F}é😀","a":[null,true,1.5],"B":{}}"#)
        let shown = try text(json).replacing("\u{7F}", with: #"\u007f"#)
        #expect(json.description == shown, "a terminal would obey a delete")
        #expect(
            String(decoding: try json.serialized(sortingNames: true), as: UTF8.self).hasPrefix(
                #"{"B":{},"a":"#))
        #expect(try HTTPJSON(parsing: json.serialized()) == json)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func `infinity and NaN are errors`(double: Double) throws {
        let json = HTTPJSON.array([.number(.init(double))])
        let error = #expect(throws: HTTPError.self) { try json.serialized() }
        #expect(error?.code == .encodingFailed && error?.phase == .preparing)
        #expect(json.description == "<no JSON>")
    }

    // MARK: Any

    @Test(.rows("S1-19"))
    func `a tree of Any becomes JSON, names sorted`() throws {
        let none: Int? = nil
        let tree: [String: Any] = [
            "s": "t" as Substring, "i": 1, "u": UInt64.max, "i8": Int8(1), "d": 1.5,
            "f": Float(0.1),
            "b": true, "a": [1, "x", [String: Any]()] as [Any], "o": none as Any,
            "j": HTTPJSON.null,
            "some": Int?.some(3) as Any, "m": ["x": 1], "l": [1, 2],
        ]
        #expect(
            try text(HTTPJSON(any: tree))
                == #"{"a":[1,"x",{}],"b":true,"d":1.5,"f":0.1,"i":1,"i8":1,"#
                + #""j":null,"l":[1,2],"m":{"x":1},"o":null,"s":"t","some":3,"#
                + #""u":18446744073709551615}"#)
    }

    @Test(.rows("S1-19"))
    func `what JSON has no form for is an error with its place and without its value`() {
        struct Secret { var value = "hunter2" }
        let trees: [(Any, String)] = [
            (["a": [Date()]], ".a[0]"), (["u": URL(filePath: "/hunter2")], ".u"),
            (Secret(), "the top"),
            ([1.5, Double.infinity], "[1]"), (["x": Float.nan], ".x"), (["d": Data()], ".d"),
        ]
        for (tree, place) in trees {
            let error = #expect(throws: HTTPError.self) { try HTTPJSON(any: tree) }
            #expect(error?.code == .encodingFailed)
            #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("hunter2") == false)
        }
        var deep: Any = 1
        for _ in 0..<600 { deep = [deep] }
        #expect(throws: HTTPError.self) { try HTTPJSON(any: deep) }
    }

    @Test(.rows("B-8"))
    func `JSON becomes a tree of Any, and that the same JSON`() throws {
        let json: HTTPJSON = ["s": "t", "i": 1, "d": 1.5, "b": true, "z": .null, "a": [1, [:]]]
        let tree = try #require(json.anyValue as? [String: Any])
        #expect(
            tree["s"] as? String == "t" && tree["i"] as? Int64 == 1 && tree["d"] as? Double == 1.5)
        #expect(tree["b"] as? Bool == true && tree["z"] as? HTTPJSON == .null)
        #expect(try HTTPJSON(any: tree) == json)
        let exact = try HTTPJSON(parsing: "[12345678901234567890123]")
        #expect(try HTTPJSON(any: exact.anyValue) == exact)
    }

    // MARK: Codable

    struct Row: Codable, Equatable {
        var id: Int
        var tags: [String]
        var note: String?
        var extra: HTTPJSON?
    }

    @Test func `values go through encoders and decoders`() throws {
        let row = Row(id: 1, tags: ["a"], note: nil, extra: ["x": [1, 2.5, "y", true, .null]])
        let json = try HTTPJSON(encoding: row)
        #expect(json == ["id": 1, "tags": ["a"], "extra": ["x": [1, 2.5, "y", true, .null]]])
        #expect(try json.decode(as: Row.self) == row)
        #expect(try HTTPJSON(encoding: "fragment") == "fragment")
        let error = #expect(throws: HTTPError.self) { try HTTPJSON(encoding: Double.nan) }
        #expect(error?.code == .encodingFailed && error?.underlyingError is EncodingError)
        let huge = try #require(HTTPJSON.Number("1e999"))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(HTTPJSON.number(huge)) }
    }

    // MARK: In URLs and forms

    private struct Filter: Encodable {
        var k: HTTPJSON
    }

    @Test(
        arguments: [
            ("a b", "a%20b", "a%20b"), ("", "", ""), (.null, nil, ""), (true, "1", "true"),
            (false, "0", "false"), (12, "12", "12"), (-1.5, "-1.5", "-1.5"),
            (.number(HTTPJSON.Number("1.50") ?? HTTPJSON.Number(0)), "1.50", "1.50"),
            (
                .number(HTTPJSON.Number("12345678901234567890") ?? HTTPJSON.Number(0)),
                "12345678901234567890", nil
            ),
            ("\"", "%22", "%22"), ("null", "null", "null"), ("ä&=", "%C3%A4%26%3D", nil),
        ] as [(HTTPJSON, String?, String?)])
    func `a scalar is its text in queries, forms, templates and routes`(
        json: HTTPJSON, query: String?, route: String?
    ) throws {
        let field = query.map { "k=\($0)" } ?? ""
        #expect(QueryEncoding().encode(["k": json]) == field)
        #expect(QueryEncoding().encode(["k": Optional(json)]) == field)
        #expect(try QueryEncoding().encode(propertiesOf: Filter(k: json)) == field)
        #expect(try QueryEncoding().encode(propertiesOf: ["k": json] as HTTPJSON) == field)
        #expect(FormURLEncoded(["k": json]).text == field)
        #expect(try FormURLEncoded(propertiesOf: Filter(k: json)).text == field)
        let literal = QueryEncoding(bool: .asLiterals).encode(["k": json])
        #expect(literal == (json.bool.map { "k=\($0)" } ?? field))
        // A template writes a Boolean as a literal, and a null is not defined.
        let template: URITemplate = "/x{?k}"
        let text = json.bool.map { "\($0)" } ?? query
        #expect(template.expand(describing: ["k": json]) == "/x" + (text.map { "?k=\($0)" } ?? ""))
        if let route {
            #expect(try HTTPRequest(.get, "https://h/?k=\(json)").url.query() == "k=\(route)")
        }
    }

    @Test func `arrays and objects are those of their scalars`() throws {
        let json: HTTPJSON = ["b": ["x y", 1, .null, true], "a": ["c": "é", "d": .null]]
        #expect(
            QueryEncoding().encode(["k": json])
                == "k%5Ba%5D%5Bc%5D=%C3%A9&k%5Bb%5D%5B%5D=x%20y&k%5Bb%5D%5B%5D=1&k%5Bb%5D%5B%5D=1")
        #expect(
            try QueryEncoding().encode(propertiesOf: json)
                == "a%5Bc%5D=%C3%A9&b%5B%5D=x%20y&b%5B%5D=1&b%5B%5D=1")
        let object = try #require(json.object)
        #expect(QueryEncoding().encode(["k": object]) == QueryEncoding().encode(["k": json]))
        let values: [String: Any?] = ["k": json["b"], "o": json["a"]]
        let template: URITemplate = "{?k*,o*}"
        #expect(template.expand(describing: values) == "?k=x%20y&k=1&k=true&c=%C3%A9")
        #expect(QueryEncoding().encode(["a": ["x y" as HTTPJSON, .null]]) == "a%5B%5D=x%20y")
    }

    @Test func `a null keeps no segment of a route`() throws {
        let json = HTTPJSON.null
        #expect(throws: HTTPError.self) { try HTTPRequest(.get, "https://h/users/\(json)") }
        let id: HTTPJSON = "a/b"
        #expect(
            try HTTPRequest(.get, "https://h/users/\(id)").url.absoluteString
                == "https://h/users/a%2Fb")
    }

    @Test func `the URL of a base is written whole`() throws {
        let url = try #require(URL(string: "b", relativeTo: URL(string: "https://h/a/")))
        #expect(QueryEncoding().encode(["k": url]) == "k=https%3A//h/a/b")
    }
}
