import HTTPCore
import HTTPFormats
import TestSupport
import Testing

@Suite struct MediaTypeTests {
    // MARK: Types

    @Test(.rows("B-4"))
    func `type and names are in lower case, values as written`() throws {
        let mediaType = try #require(MediaType(" Text/HTML ; Charset=UTF-8; x=\"a b\" "))
        #expect(mediaType.type == "text")
        #expect(mediaType.subtype == "html")
        #expect(mediaType.essence == "text/html")
        #expect(mediaType.charset == "UTF-8")
        #expect(mediaType["X"] == "a b")
        #expect(mediaType["y"] == nil)
        #expect(mediaType.description == "text/html;charset=UTF-8;x=\"a b\"")
    }

    @Test(.rows("B-4"))
    func `parameters are set, replaced and removed`() {
        var mediaType = MediaType.plainText
        mediaType["Charset"] = "utf-8"
        mediaType["boundary"] = "a \"b\" \\"
        #expect(mediaType.description == #"text/plain;charset=utf-8;boundary="a \"b\" \\""#)
        mediaType["CHARSET"] = "x"
        #expect(mediaType.parameters.map(\.name) == ["charset", "boundary"])
        #expect(MediaType(mediaType.description) == mediaType)
        mediaType["boundary"] = nil
        mediaType["charset"] = nil
        #expect(mediaType == .plainText)
    }

    @Test(
        .rows("B-4"), arguments: [("a b", "x"), ("", "x"), ("a", "\r\n"), ("a", "\0"), ("a", "日")])
    func `a parameter that no header can hold is not set`(name: String, value: String) {
        var mediaType = MediaType.json
        mediaType[name] = value
        #expect(mediaType == .json)
    }

    @Test(
        .rows("B-4"),
        arguments: ["", "/", "a", "a/", "/a", "a/b/c", "a b/c", "\0/a", "é/a", ";a=b"])
    func `what has no type and subtype is no media type`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test(.rows("B-4"))
    func `the constants are what they say`() {
        let constants: [MediaType] = [
            .json, .problemJSON, .xml, .octetStream, .formURLEncoded, .plainText, .html,
            .eventStream, .multipartFormData, .pdf, .png, .jpeg,
        ]
        #expect(
            constants.map(\.description) == [
                "application/json", "application/problem+json", "application/xml",
                "application/octet-stream", "application/x-www-form-urlencoded", "text/plain",
                "text/html", "text/event-stream", "multipart/form-data",
                "application/pdf", "image/png", "image/jpeg",
            ])
        #expect(constants.filter(\.isJSON) == [.json, .problemJSON])
        #expect(MediaType.html.groups == [.html, .scriptable])
    }

    @Test(.rows("B-4"))
    func `no line gives no media type`() {
        #expect(MediaType(fieldLines: []) == nil)
        #expect(MediaType(fieldLines: ["", "*/*"]) == nil)
    }
}
