import HTTPCore
import HTTPMiddleware
import Testing

@Suite struct NetrcTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var host: String
        var login: String?
        var password: String?
        var testDescription: String { text }

        init(_ text: String, _ host: String, _ login: String?, _ password: String?) {
            (self.text, self.host, self.login, self.password) = (text, host, login, password)
        }
    }

    @Test(arguments: [
        Row("machine h login u password p", "h", "u", "p"),
        Row("machine h\n\tlogin u\r\n\tpassword p\n", "h", "u", "p"),
        Row("machine h password p login u", "h", "u", "p"),
        Row("machine h login u account a password p machine i", "h", "u", "p"),
        Row("machine H.Example login u", "h.eXAMPLE", "u", nil),
        Row("machine h password p", "h", nil, "p"),
        Row("machine h", "h", nil, nil),
        // The first entry of a host.
        Row("machine h login a machine h login b", "h", "a", nil),
        // A keyword in place of a value is a value.
        Row("machine machine login login password password", "machine", "login", "password"),
        Row("machine h login u password #p", "h", "u", "#p"),
        Row("machine h login u password p#p", "h", "u", "p#p"),
        // Comments.
        Row("# machine h login x\nmachine h login u # and\n password p # so on", "h", "u", "p"),
        Row("#\n#x\nmachine h login u", "h", "u", nil),
        // Quotation.
        Row(
            #"machine h login "a b" password "q\"b\\s\tt\nn\x""#,
            "h", "a b", "q\"b\\s\tt\nn" + "x"),
        Row(#"machine h login "" password """#, "h", "", ""),
        Row(#"machine h login u password a"b\c"#, "h", "u", #"a"b\c"#),
        Row("machine h login \"ü\" password ß", "h", "ü", "ß"),
        // Macros go to the first empty line.
        Row(
            "macdef init\ncd /x\nmachine evil login x\n\nmachine h login u", "h", "u", nil),
        Row("machine h login u\nmacdef m\nlogin x\n\npassword p", "h", "u", "p"),
        Row("machine h login u macdef m\r\nx\r\n\r\npassword p", "h", "u", "p"),
        Row("machine h login u macdef m\nnever ends", "h", "u", nil),
        // The default is for hosts that no entry names, wherever it stands.
        Row("machine h login u default login d password e", "other", "d", "e"),
        Row("default login d machine h login u", "h", "u", nil),
        Row("machine ::1 login u", "[::1]", "u", nil),
    ]) func `an entry is found by its host`(row: Row) throws {
        let entry = try #require(try Netrc(row.text)[row.host])
        #expect(entry.login == row.login)
        #expect(entry.password == row.password)
    }

    @Test(arguments: ["", " \n\t", "# all comment", "macdef m\nmachine h\n\n", "machine i login u"])
    func `a host that is not named has no entry`(text: String) throws {
        #expect(try Netrc(text)["h"] == nil)
    }

    @Test(arguments: [
        ("machine", 1), ("machine h\nlogin", 2), ("machine h login u\npassword hunter 2", 2),
        ("\n\nhunter2", 3), ("machine h password \"hunter2", 1), ("login hunter2", 1),
        ("machine h password \"hunter\"2", 1), ("macdef", 1), ("machine h password \"hunter2\\", 1),
        ("machine h hunter2 x", 1),
    ]) func `what is not understood is refused, with its line and none of its words`(
        text: String, line: Int
    ) {
        let error = #expect(throws: HTTPError.self) { try Netrc(text) }
        #expect(error?.code == .invalidNetrc)
        #expect(error?.message.contains("line \(line):") == true)
        #expect(error?.description.contains("hunter") == false)
    }

    @Test func `a file has a limit`() {
        let line = "machine h login u password p\n"
        let count = Netrc.maximumLength / line.utf8.count
        #expect(throws: Never.self) { try Netrc(String(repeating: line, count: count)) }
        #expect(throws: HTTPError.self) { try Netrc(String(repeating: line, count: count + 1)) }
    }
}
