import HTTPClientKit
import Testing

@testable import fetch

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct IndentedJSONTests {
    private func shown(_ pieces: String...) -> String {
        var json = IndentedJSON()
        let passed = pieces.map { json.add(Data($0.utf8)) }.reduce(Data(), +)
        return String(decoding: passed + json.text, as: UTF8.self)
    }

    @Test func `each member is on its own line, in the original order`() {
        #expect(
            shown(#"{"b":[1.0,{"x":n"#, #"ull}],"a":{},"c":[],"d":"\u001b\""}"#) == #"""
                {
                  "b": [
                    1.0,
                    {
                      "x": null
                    }
                  ],
                  "a": {},
                  "c": [],
                  "d": "\u001b\""
                }

                """#)
    }

    @Test(arguments: ["", "{", "[1,]", "\u{FEFF}nonsense"])
    func `text that is not JSON is unchanged`(text: String) { #expect(shown(text) == text) }

    @Test func `a long body is not held back`() {
        let long = "[" + String(repeating: "1,", count: IndentedJSON.limit / 2) + "1]"
        #expect(shown(long, " ") == long + " ")
    }
}
