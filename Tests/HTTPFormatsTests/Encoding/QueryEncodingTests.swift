import HTTPCore
import HTTPFormats
import TestSupport
import Testing
import PortableFoundation

@Suite struct QueryEncodingTests {
    /// 2021-08-13 13:55:42 UTC.
    private static let date = Date(timeIntervalSince1970: 1_628_862_942)

    // MARK: Order

    @Test(.rows("S1-15"))
    func `named values are written in the order of their names`() {
        #expect(
            QueryEncoding().encode([
                "type": "poi", "max": 5, "date": Self.date, "disabled": false,
            ]) == "date=2021-08-13%2013%3A55%3A42%20%2B0000&disabled=0&max=5&type=poi")
        #expect(QueryEncoding().encode(["b": 1, "a": 2, "Z": 3, "aa": 4]) == "Z=3&a=2&aa=4&b=1")
    }

    struct Written: @unchecked Sendable, CustomTestStringConvertible {  // literals, never changed
        var value: Any?
        var text: String
        init(_ value: Any?, _ text: String) { (self.value, self.text) = (value, text) }
        var testDescription: String { text }
    }

    // MARK: Values

    @Test(
        .rows("S1-16"),
        arguments: [
            Written("a b", "k=a%20b"),
            Written("", "k="),
            Written(true, "k=1"), Written(false, "k=0"),
            Written([true, false], "k%5B%5D=1&k%5B%5D=0"),
            Written(["b": true], "k%5Bb%5D=1"),
            Written(0, "k=0"), Written(1, "k=1"), Written(-7, "k=-7"),
            Written(UInt64.max, "k=\(UInt64.max)"),
            Written(Int128.min, "k=\(Int128.min)"), Written(UInt128.max, "k=\(UInt128.max)"),
            Written(Int8(1), "k=1"),
            Written(1.5, "k=1.5"), Written(2.0, "k=2.0"), Written(1e21, "k=1e%2B21"),
            Written(Float(0.5), "k=0.5"), Written(-0.0, "k=-0.0"),
            Written(Double.infinity, "k=inf"), Written(Double.nan, "k=nan"),
            Written([1, 2], "k%5B%5D=1&k%5B%5D=2"),
            Written(["z": 1, "a": 2], "k%5Ba%5D=2&k%5Bz%5D=1"),
            Written(["a": ["b": ["c": 1]]], "k%5Ba%5D%5Bb%5D%5Bc%5D=1"),
            Written(["a": [1, 2]], "k%5Ba%5D%5B%5D=1&k%5Ba%5D%5B%5D=2"),
            Written([["a": 1]], "k%5B%5D%5Ba%5D=1"),
            Written([[1], [2]], "k%5B%5D%5B%5D=1&k%5B%5D%5B%5D=2"),
            Written([Int](), ""), Written([String: Int](), ""), Written(nil, ""),
            Written(Optional<Int>.none as Any, ""), Written(Optional(Optional(3)) as Any, "k=3"),
            Written([1, nil, 3], "k%5B%5D=1&k%5B%5D=3"),
            Written(Set(["b", "a"]), "k%5B%5D=a&k%5B%5D=b"),
            Written([2: "b", 1: "a"], "k%5B1%5D=a&k%5B2%5D=b"),
            Written(Character("é"), "k=%C3%A9"), Written("xyz".dropFirst(), "k=yz"),
            Written(URL(string: "https://h/?a=1") as Any, "k=https%3A//h/?a%3D1"),
            Written(Data([0, 255]), "k=AP8%3D"),
            Written(Date(timeIntervalSince1970: 0.999), "k=1970-01-01%2000%3A00%3A00%20%2B0000"),
            Written(Date(timeIntervalSince1970: -1), "k=1969-12-31%2023%3A59%3A59%20%2B0000"),
            Written(
                Date(timeIntervalSince1970: 951_782_400), "k=2000-02-29%2000%3A00%3A00%20%2B0000"),
            Written(Date(timeIntervalSince1970: .nan), "k=nan"),
            Written(Date(timeIntervalSince1970: 1e300), "k=1e%2B300"),
        ])
    func `every type has its spelling`(written: Written) {
        #expect(QueryEncoding().encode(["k": written.value]) == written.text)
    }

    // MARK: Escaping

    @Test(.rows("S1-17"))
    func `all but unreserved characters, question mark and slash is escaped, in names too`() {
        let ascii = String(String.UnicodeScalarView((0..<128).map { Unicode.Scalar(UInt8($0)) }))
        let kept = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~?/"
        let expected = ascii.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return kept.unicodeScalars.contains(scalar)
                ? String(scalar) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
        #expect(QueryEncoding().encode([ascii: ascii]) == expected + "=" + expected)
        #expect(
            QueryEncoding().encode(["ü": "日本 \u{1F600}"])
                == "%C3%BC=%E6%97%A5%E6%9C%AC%20%F0%9F%98%80")
        #expect(QueryEncoding().encode(["a%20b": "%41"]) == "a%2520b=%2541")
    }

    // MARK: Styles

    @Test(.rows("S1-18"))
    func `arrays, truth, dates and dictionaries have styles`() {
        let parameters: [String: Any?] = ["a": [true], "d": Self.date, "n": ["x": [1]]]
        #expect(
            QueryEncoding(array: .noBrackets, bool: .asLiterals, date: .internet)
                .encode(parameters) == "a=true&d=2021-08-13T13%3A55%3A42Z&n%5Bx%5D=1")
        #expect(
            QueryEncoding(date: .secondsSince1970, dictionary: .dots).encode(parameters)
                == "a%5B%5D=1&d=1628862942&n.x%5B%5D=1")
        let early = Date(timeIntervalSince1970: 0.001)
        #expect(QueryEncoding(date: .millisecondsSince1970).encode(["d": early]) == "d=1")
        #expect(
            QueryEncoding(date: .internet).encode([
                "d": Date(timeIntervalSince1970: -62_167_219_200)
            ])
                == "d=0000-01-01T00%3A00%3A00Z")
    }

    // MARK: Dates

    /// Compares every day from 1896 to 2003 with a calendar counted by hand. One century year of
    /// the range is a leap year and one is not.
    @Test(.rows("S1-16"))
    func `days follow the Gregorian calendar`() {
        var (year, month, day) = (1896, 1, 1)
        for index in 0..<39_446 {
            let seconds = Double(index - 27028) * 86400 + 86399
            let text = QueryEncoding(date: .internet).encode([
                "d": Date(timeIntervalSince1970: seconds)
            ])
            let digits = [month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }
            guard text == "d=\(year)-\(digits[0])-\(digits[1])T23%3A59%3A59Z" else {
                Issue.record("\(text) for \(year)-\(month)-\(day)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > days[month - 1] { (day, month) = (1, month + 1) }
            if month > 12 { (month, year) = (1, year + 1) }
        }
        #expect(year == 2004 && month == 1 && day == 1)
    }

    // MARK: Encodable values

    private enum Kind: String, Encodable { case poi = "point" }
    private struct Inner: Encodable {
        var tags: [String]
        var depth: [[Int]]
    }
    private struct Search: Encodable {
        var type = Kind.poi
        var max = 5
        var date = QueryEncodingTests.date
        var disabled = false
        var missing: String?
        var inner = Inner(tags: ["a", "b c"], depth: [[1], [2, 3]])
        var url = URL(string: "https://h/")
        var data = Data([1, 2, 3])
        var price = Decimal(string: "1.10") ?? 0
        var byName = ["y": 1.5, "x": 2]
        var byNumber = [2: true, 1: false]
        var range = 1...3
    }

    @Test(.rows("S1-16"))
    func `properties are named values`() throws {
        let text = try QueryEncoding(array: .noBrackets).encode(propertiesOf: Search())
        #expect(
            text.split(separator: "&") == [
                "byName%5Bx%5D=2.0", "byName%5By%5D=1.5", "byNumber%5B1%5D=0",
                "byNumber%5B2%5D=1", "data=AQID",
                "date=2021-08-13%2013%3A55%3A42%20%2B0000", "disabled=0", "inner%5Bdepth%5D=1",
                "inner%5Bdepth%5D=2", "inner%5Bdepth%5D=3", "inner%5Btags%5D=a",
                "inner%5Btags%5D=b%20c", "max=5", "price=1.1", "range=1", "range=3",
                "type=point", "url=https%3A//h/",
            ])
        #expect(try QueryEncoding().encode(propertiesOf: ["b": 1, "a": 2]) == "a=2&b=1")
    }

    private struct Named: Encodable, CustomStringConvertible {
        var size = 1
        var description: String { "by name" }
    }
    private struct Plain { var size = 1 }

    private enum Order: String { case newest = "created:desc" }
    private enum Level: Int { case high = 7 }
    private enum Side { case left }
    private enum Described: String, CustomStringConvertible {
        case a = "raw"
        var description: String { "own" }
    }
    private struct Flags: OptionSet { let rawValue: Int }

    /// The rows of Requests.md.
    @Test func `an enum is its raw value, or the name of its case`() {
        let values: [(any Sendable, String)] = [
            (Kind.poi, "point"), (Order.newest, "created%3Adesc"), (Level.high, "7"),
            (Side.left, "left"), (Described.a, "own"), (Flags(rawValue: 5), "5"),
            (
                UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
                "00000000-0000-0000-0000-000000000001"
            ),
            (2.0, "2.0"),
        ]
        for (value, text) in values {
            #expect(QueryEncoding().encode(["k": value]) == "k=\(text)")
            #expect(QueryEncoding().encode(["k": [value]]) == "k%5B%5D=\(text)")
        }
        #expect(QueryEncoding().encode(["k": Order?.none]) == "")
    }

    @Test(.rows("S1-16"))
    func `a value among others encodes itself unless it describes itself`() {
        let inner = Inner(tags: ["a"], depth: [])
        #expect(
            QueryEncoding().encode(["k": Kind.poi, "i": inner, "n": Named(), "l": [Kind.poi]])
                == "i%5Btags%5D%5B%5D=a&k=point&l%5B%5D=point&n=by%20name")
        #expect(QueryEncoding().encode(["k": Plain()]) == "k=Plain%28size%3A%201%29")
        let refused = QueryEncoding().encode(["k": Refusing()])
        #expect(refused == "k=Refusing%28%29")
    }

    private class Animal: Encodable {
        var name = "Rex"
    }
    private final class Dog: Animal {
        enum CodingKeys: String, CodingKey { case breed, nested, list }
        enum Nested: String, CodingKey { case deep }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode("pug", forKey: .breed)
            var nested = container.nestedContainer(keyedBy: Nested.self, forKey: .nested)
            try nested.encodeNil(forKey: .deep)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            try list.encodeNil()
            var inner = list.nestedContainer(keyedBy: Nested.self)
            try inner.encode(list.count, forKey: .deep)
            try super.encode(to: container.superEncoder())
        }
    }

    @Test(.rows("S1-16"))
    func `hand-written containers and superclasses keep their places`() throws {
        #expect(
            try QueryEncoding().encode(propertiesOf: Dog())
                == "breed=pug&list%5B%5D=1&list%5B%5D%5Bdeep%5D=3&super%5Bname%5D=Rex")
    }

    private struct Refusing: Encodable {
        struct Reason: Error {}
        func encode(to encoder: any Encoder) throws { throw Reason() }
    }

    @Test func `what has no names, or refuses, is an error that keeps the reason`() {
        for attempt in [
            { try QueryEncoding().encode(propertiesOf: 1) },
            { try QueryEncoding().encode(propertiesOf: ["a", "b"]) },
            { try QueryEncoding().encode(propertiesOf: "text") },
        ] as [() throws -> String] {
            let error = #expect(throws: HTTPError.self) { try attempt() }
            #expect(error?.code == .invalidRequest)
        }
        let error = #expect(throws: HTTPError.self) {
            try QueryEncoding().encode(propertiesOf: ["a": Refusing()])
        }
        #expect(error?.underlyingError is Refusing.Reason)
    }

    @Test func `enormous parameters take linear time`() throws {
        let numbers = Array(0..<30_000)
        let clock = ContinuousClock()
        let time = try clock.measure {
            #expect(QueryEncoding().encode(["k": numbers]).split(separator: "&").count == 30_000)
            let named = Dictionary(uniqueKeysWithValues: numbers.map { ("k\($0)", $0) })
            #expect(QueryEncoding().encode(named).split(separator: "&").count == 30_000)
            let encoded = try QueryEncoding().encode(propertiesOf: named)
            #expect(encoded.split(separator: "&").count == 30_000)
            let long = String(repeating: " ", count: 1_000_000)
            #expect(QueryEncoding().encode(["k": long]).utf8.count == 3_000_002)
        }
        #expect(time < .seconds(30))
    }
}

extension QueryEncoding {
    /// Returns `parameters` as a query without the `?`.
    func encode(_ parameters: [String: Any?]) -> String {
        Self.text(of: pairs(QueryValue.dictionary(parameters)))
    }

    /// Returns the properties of `value` as a query.
    func encode(propertiesOf value: some Encodable) throws(HTTPError) -> String {
        Self.text(of: pairs(try QueryValue.dictionary(encoding: value)))
    }
}
