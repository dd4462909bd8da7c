import HTTPCore
import Testing
import PortableFoundation

@Suite struct HTTPTargetTests {
    @Test(
        arguments: [
            ("http://h", "/"), ("http://h/", "/"), ("http://h?q", "/?q"), ("http://h?", "/?"),
            ("http://h#f", "/"), ("http://h/a#f?x", "/a"), ("http://h/a/../b/./c", "/a/../b/./c"),
            ("http://h//a//", "//a//"), ("http://h/%41%2f%2F?%20+&=;", "/%41%2f%2F?%20+&=;"),
            ("http://h/a;b=c:d@e!$&'()*+,", "/a;b=c:d@e!$&'()*+,"),
            ("http://h/?a=b?c/d", "/?a=b?c/d"),
            ("HTTP://H/CaSe", "/CaSe"), ("http://h/%00", "/%00"),
        ])
    func `path and query go on the wire byte for byte`(text: String, originForm: String) throws {
        let target = try HTTPTarget(URL(strictly: text))
        #expect(target.originForm == originForm)
        #expect(target.url == "http://h" + originForm)
    }

    @Test(
        arguments: [
            ("http://h:/", "http://h/"), ("http://h:80/", "http://h/"),
            ("http://h:080/", "http://h/"), ("http://h:443/", "http://h:443/"),
            ("http://h:08080/a", "http://h:8080/a"), ("http://h:8080/a?", "http://h:8080/a?"),
            ("http://h:8080/a?#", "http://h:8080/a?"), ("https://h:443/", "https://h/"),
            ("https://h:80/", "https://h:80/"), ("hTTps://h/", "https://h/"),
            ("http://h.EXAMPLE/A", "http://h.example/A"), ("http://h", "http://h/"),
            ("http://h?a", "http://h/?a"), ("http://[0:0::1]/", "http://[::1]/"),
            ("http://[::1]:8080/", "http://[::1]:8080/"),
        ])
    func `the URL to send to has the origin's one spelling`(text: String, url: String) throws {
        #expect(try HTTPTarget(URL(strictly: text)).url == url)
        #expect(try HTTPRequest(.get, text).checkedTarget().url == url)
    }

    @Test(arguments: ["http://u@h/", "http://u:hunter2@h/", "http://:hunter2@h/", "http://@h/"])
    func `user information is refused and never shown`(text: String) throws {
        let url = try URL(strictly: text)
        let error = #expect(throws: HTTPError.self) { try HTTPTarget(url) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("user information") == true)
        #expect(error?.ending(url).description.contains("hunter2") == false)
    }

    @Test(
        arguments: [
            "http://h/?token=hunter2", "http://h/#hunter2", "http://hunter2@h/a",
            "ftp://h/?hunter2",
            "http://h:0/?hunter2", "/?hunter2", "user:hunter2@h/", "data:text/plain,hunter2",
            "http://h/?hunter2#%41", "http://a:hunter2@/",
        ])
    func `no message and no description shows a secret of the URL`(text: String) throws {
        let url = try URL(strictly: text)
        let request = HTTPRequest(.get, url)
        var texts = ["\(request)", String(reflecting: request), url.logSafe]
        do {
            let target = try request.checkedTarget()
            texts += ["\(target)", String(reflecting: target)]
            dump(target, to: &texts[0])
        } catch {
            texts += ["\(error)", "\(error.ending(url))"]
        }
        let response = HTTPResponse(.ok, to: request)
        texts += ["\(response)", "\(response.head)", String(reflecting: response.head)]
        dump(response.head, to: &texts[0])
        for text in texts { #expect(!text.contains("hunter2")) }
    }

    @Test(arguments: ["http://h/hunter2 ", "http://hunter2 /", "http://h/%zzhunter2", "hunter2 "])
    func `a text that is no URL is not repeated in the error`(text: String) {
        let error = #expect(throws: HTTPError.self) { try URL(strictly: text) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.description.contains("hunter2") == false)
        #expect(error?.message.contains("at byte") == true)
    }

    @Test(arguments: [
        "http://h/a?b#c", "https://[::1]:8443/", "a/b?c", "http://h/%E2%82%AC", "//h",
    ])
    func `a strict URL keeps its text`(text: String) throws {
        #expect(try URL(strictly: text).absoluteString == text)
    }

    @Test(
        arguments: [
            ("http://h/a?b", "http://h/a?…"), ("http://h:81/a", "http://h:81/a"),
            ("http://h", "http://h/"),
        ])
    func `a description has the path but not the query`(text: String, expected: String) throws {
        #expect(try HTTPTarget(URL(strictly: text)).description == expected)
    }
}
