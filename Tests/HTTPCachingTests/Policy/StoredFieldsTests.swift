import HTTPCore
import Testing

@testable import HTTPCaching

@Suite struct StoredFieldsTests {
    @Test func `fields of the connection and cookies are not stored`() {
        let headers: HTTPHeaders = [
            "A": "1", "Connection": "keep-alive, X-Hop", "Keep-Alive": "timeout=1", "X-Hop": "2",
            "TE": "trailers", "Transfer-Encoding": "chunked", "Upgrade": "h2c",
            "Proxy-Authenticate": "Basic", "Proxy-Connection": "close", "Set-Cookie": "a=b",
            "set-cookie": "c=d", "Content-Length": "3",
        ]
        #expect(StoredFields.stored(headers) == ["A": "1", "Content-Length": "3"])
    }

    @Test func `an update replaces fields, and keeps those about the stored bytes`() {
        let stored: HTTPHeaders = [
            "A": "1", "B": "1", "b": "2", "Content-Length": "3", "Content-Encoding": "gzip",
            "Age": "50", "C": "1",
        ]
        let update: HTTPHeaders = [
            "B": "3", "b": "4", "Content-Length": "0", "Content-Encoding": "br", "D": "5",
            "Set-Cookie": "x=y", "Connection": "close",
        ]
        #expect(
            StoredFields.updated(stored, by: update) == [
                "A": "1", "Content-Length": "3", "Content-Encoding": "gzip", "C": "1", "B": "3",
                "b": "4", "D": "5",
            ])
    }

    @Test func `bytes that are not text stay as they are`() throws {
        var update = HTTPHeaders()
        let line: [UInt8] = [0x58, 0x3A, 0xE4, 0xFF]
        let isField = update.append(line: line.span)
        #expect(isField)
        let result = StoredFields.updated([:], by: update)
        #expect(result.bytes(of: "X") == [0xE4, 0xFF])
    }
}
