import HTTPClientKit
import Testing

@testable import fetch

@Suite struct OutputPathTests {
    private func head(_ disposition: String?) throws -> HTTPResponse.Head {
        var headers = HTTPHeaders()
        if let disposition { try headers.set(.contentDisposition, disposition) }
        return HTTPResponse(.ok, headers: headers, to: try HTTPRequest("http://h/")).head
    }

    @Test func `the response may choose the name, but not the folder`() throws {
        let place = OutputPath(
            name: .remote("n", asksResponse: true), folder: "d", createsFolders: false)
        #expect(try place.path(for: head("attachment; filename=\"x.txt\"")) == "d/x.txt")
        #expect(try place.path(for: head(nil)) == "d/n")
        let path = try place.path(for: head("attachment; filename=\"../../etc/x\""))
        #expect(path?.contains("..") == false && path?.split(separator: "/").count == 2)
        let given = OutputPath(name: .given("a"), folder: "d/", createsFolders: false)
        #expect(try given.path(for: head("attachment; filename=x")) == "d/a")
        #expect(
            OutputPath(name: .standardOutput, folder: "d", createsFolders: true).path() == nil)
    }

    @Test func `a name that the response has chosen replaces no file`() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "x")
        let place = OutputPath(
            name: .remote("n", asksResponse: true), folder: folder.path, createsFolders: false)
        let error = #expect(throws: HTTPError.self) {
            try place.open(for: head("attachment; filename=x"))
        }
        #expect(error?.code == .fileNotWritten && folder.text(of: "x") == "old")
        _ = try place.open(for: head(nil))
        #expect(folder.text(of: "n") == "")
    }

    @Test func `missing folders are created only if asked for`() throws {
        let folder = try TemporaryFolder()
        for createsFolders in [false, true] {
            let place = OutputPath(
                name: .given("a/b/c"), folder: folder.path, createsFolders: createsFolders)
            #expect((try? place.open(for: head(nil))) != nil || !createsFolders)
            #expect((folder.text(of: "a/b/c") == "") == createsFolders)
        }
    }
}
