import HTTPCore
import HTTPFormats
import Testing
import PortableFoundation

struct StructuredFieldTests {
    @Test func `a list holds items and inner lists with their parameters`() throws {
        let list = try StructuredField.List(parsing: [#"gzip;q=0.5, ("a" 2;x);n"#, "?0"])
        #expect(list.members.count == 3)
        #expect(list.members[0].value?.tokenValue == "gzip")
        #expect(list.members[0].parameters["q"]?.doubleValue == 0.5)
        guard case .innerList(let inner) = list.members[1] else {
            Issue.record("no inner list")
            return
        }
        #expect(inner.items.map(\.value) == [try .string("a"), 2])
        #expect(inner.items[1].parameters["x"]?.booleanValue == true)
        #expect(inner.parameters["n"] == true)
        #expect(list.members[2].value == false)
        #expect(list.fieldValue == #"gzip;q=0.5, ("a" 2;x);n, ?0"#)
    }

    @Test func `a dictionary keeps a name's first place and last value`() throws {
        let dictionary = try StructuredField.Dictionary(parsing: "a=1, b, a=(1 2)")
        #expect(dictionary.map(\.name) == ["a", "b"])
        #expect(dictionary["b"]?.value?.booleanValue == true)
        #expect(dictionary.fieldValue == "a=(1 2), b")
        #expect(dictionary["c"] == nil)
    }

    @Test func `every kind of value is written as it was read`() throws {
        let text = #"1;i=-5;d=-0.125;s="\"\\";t=*a/b:c;o=:AQI=:;b=?0;e=@-1;p=%"%c3%bc%22""#
        let item = try StructuredField.Item(parsing: text)
        #expect(item.fieldValue == text)
        let values = item.parameters
        #expect(values["i"]?.integerValue == -5)
        #expect(values["d"]?.doubleValue == -0.125)
        #expect(values["s"]?.stringValue == #""\"#)
        #expect(values["t"]?.tokenValue == "*a/b:c")
        #expect(values["o"]?.bytes == Data([1, 2]))
        #expect(values["b"]?.booleanValue == false)
        #expect(values["e"]?.dateValue == Date(timeIntervalSince1970: -1))
        #expect(values["p"]?.displayStringValue == "ü\"")
        #expect(values["i"]?.stringValue == nil && values["s"]?.integerValue == nil)
    }

    @Test(arguments: [
        ("", 0), ("a b", 2), ("1.2.3", 3), ("\"a", 2), ("\"a\u{E9}\"", 2), ("1234567890123456", 15),
        (":a:", 2), ("@1.5", 1), ("a;B", 2), ("%\"%fg\"", 4), ("?2", 1), ("-", 1), ("(1)", 0),
    ])
    func `an error says where`(text: String, offset: Int) {
        let error = #expect(throws: StructuredField.ParseError.self) {
            try StructuredField.Item(parsing: text)
        }
        #expect(error?.offset == offset, "\(text): \(String(describing: error))")
    }

    @Test func `an offset counts the separators of joined lines, and no error repeats the field`() {
        let error = #expect(throws: StructuredField.ParseError.self) {
            try StructuredField.List(parsing: ["secret", "secret?"])
        }
        #expect(error?.offset == 14)
        #expect("\(String(describing: error))".contains("secret") == false)
    }

    @Test(arguments: [
        ("a,", 2), ("a,,b", 2), ("(a", 2), ("(a\tb)", 2), ("(\"a\"b)", 4), ("((a))", 1),
        ("a b", 2),
    ])
    func `a list ends where it stops being right`(text: String, offset: Int) {
        let error = #expect(throws: StructuredField.ParseError.self) {
            try StructuredField.List(parsing: text)
        }
        #expect(error?.offset == offset, "\(text): \(String(describing: error))")
    }

    @Test func `no line is an empty list, an empty dictionary and no item`() throws {
        #expect(try StructuredField.List(parsing: []).members.isEmpty)
        #expect(try StructuredField.Dictionary(parsing: []).isEmpty)
        #expect(throws: StructuredField.ParseError.self) { try StructuredField.Item(parsing: []) }
        #expect(StructuredField.List().fieldValue == nil)
        #expect(StructuredField.Dictionary().fieldValue == nil)
    }

    @Test func `values that a field cannot hold cannot be made`() throws {
        typealias Value = StructuredField.BareItem
        #expect(throws: StructuredField.ValueError.self) {
            try Value.integer(1_000_000_000_000_000)
        }
        #expect(try Value.integer(-999_999_999_999_999).integerValue == -999_999_999_999_999)
        for number in [1e12, -1e12, .infinity, .nan, 999_999_999_999.9999] {
            #expect(throws: StructuredField.ValueError.self) { try Value.decimal(number) }
        }
        for text in ["", "1a", "a b", "é", "a\u{0}"] {
            #expect(throws: StructuredField.ValueError.self) { try Value.token(text) }
        }
        #expect(throws: StructuredField.ValueError.self) { try Value.string("é") }
        #expect(throws: StructuredField.ValueError.self) {
            try Value.date(Date(timeIntervalSince1970: 1e15))
        }
        var parameters = StructuredField.Parameters()
        for name in ["", "A", "1", "a b", "aB", "ü"] {
            #expect(throws: StructuredField.ValueError.self) { try parameters.set(name, 1) }
        }
        #expect(parameters.isEmpty)
    }

    @Test(arguments: [
        (0.0015, "0.002"), (0.0025, "0.002"), (-0.0025, "-0.002"), (9.9995, "10.0"), (1, "1.0"),
        (-0.0, "0.0"), (-0.5, "-0.5"), (1.01, "1.01"), (999_999_999_999.999, "999999999999.999"),
    ])
    func `a decimal has one to three digits behind the point, rounded half to even`(
        number: Double, text: String
    ) throws {
        #expect(StructuredField.Item(try .decimal(number)).fieldValue == text)
    }

    @Test func `a date is cut to seconds towards the past`() throws {
        for (time, text) in [(-0.5, "@-1"), (1.9, "@1"), (0, "@0")] {
            let date = Date(timeIntervalSince1970: time)
            #expect(StructuredField.Item(try .date(date)).fieldValue == text)
        }
    }

    @Test func `many names are found, replaced and removed`() throws {
        var parameters = StructuredField.Parameters()
        for number in 0..<100 { try parameters.set("k\(number)", .integer(number)) }
        try parameters.set("k50", true)
        parameters.remove("k7")
        #expect(parameters.count == 99)
        #expect(parameters["k7"] == nil)
        #expect(parameters["k50"] == true)
        #expect(parameters["k99"]?.integerValue == 99)
        for number in 8..<100 { parameters.remove("k\(number)") }
        #expect(parameters.map(\.name) == (0..<7).map { "k\($0)" })
        #expect(parameters["k3"]?.integerValue == 3)
        try parameters.set("x", 1)
        #expect(parameters.map(\.name).last == "x")
        #expect(try parameters != StructuredField.Parameters(["x": 1]))
    }

    @Test func `a field beyond the limit is refused`() throws {
        #expect(try StructuredField.List(parsing: ["aa", "aa"], upTo: 6).members.count == 2)
        let error = #expect(throws: StructuredField.ParseError.self) {
            try StructuredField.List(parsing: ["aa", "aa"], upTo: 5)
        }
        #expect(error?.offset == 5)
        let long = String(repeating: "a", count: StructuredField.defaultLimit + 1)
        #expect(throws: StructuredField.ParseError.self) { try StructuredField.Item(parsing: long) }
    }

    @Test func `names without end cost linear time`() throws {
        let count = 20_000
        let text = (0..<count).map { "k\($0)" }.joined(separator: ",")
        let clock = ContinuousClock()
        let start = clock.now
        let dictionary = try StructuredField.Dictionary(parsing: [text], upTo: .max)
        #expect(start.duration(to: clock.now) < .seconds(5))
        #expect(dictionary.count == count)
    }

    @Test func `any cut of a field is read or refused`() throws {
        let text = #"a=(1 "x\"" tok);p=1.5;q=:AQI=:, b=%"%c3%bc", c=@1;x, d=?1"#
        var read = 0
        for end in 0...text.utf8.count {
            let cut = String(decoding: text.utf8.prefix(end), as: UTF8.self)
            if let dictionary = try? StructuredField.Dictionary(parsing: cut) {
                read += 1
                let written = dictionary.fieldValue ?? ""
                #expect(try StructuredField.Dictionary(parsing: written) == dictionary)
            }
        }
        #expect(read > 5 && read < text.utf8.count)
    }
}
