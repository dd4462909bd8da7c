import ArgumentParser
import Testing

@testable import fetch

@Suite struct CurlOptionTests {
    @Test func `an option that only curl has is explained`() throws {
        let hint = try #require(CurlOption.hint(["-s", "--limit-rate=1k", "http://h/"]))
        #expect(hint.hasPrefix("--limit-rate is not an option of fetch: "))
        #expect(CurlOption.hint(["--next"]) != nil)
        #expect(CurlOption.hint(["-s", "http://h/", "--", "--next"]) == nil)
        #expect(CurlOption.hint([]) == nil)
    }

    @Test func `no option of the program is among them`() {
        for word in Fetch.helpMessage(columns: 400).split(whereSeparator: { ", \n".contains($0) })
        where word.hasPrefix("-") && word.last?.isNumber != true {
            #expect(CurlOption.hint([String(word)]) == nil)
        }
    }
}
