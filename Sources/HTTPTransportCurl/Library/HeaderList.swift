import CHTTPTransportCurl
import HTTPCore

/// The header lines of requests in libcurl's form. Handles share a list while they use it.
///
/// Made, used and freed on the loop's thread.
@safe final class HeaderList {
    /// The lines that the transport itself writes.
    struct Additions: Equatable {
        /// The whole `Accept-Encoding` line, or `nil` to write none.
        var acceptEncoding: String?
        /// `true` if the request has content, so that libcurl would describe it.
        var hasContent = false
        /// Further lines, such as `Expect: 100-continue`.
        var lines: [String] = []
    }

    private(set) var raw: OpaquePointer?
    private let headers: HTTPHeaders
    private let additions: Additions

    /// - Throws: `internalFailure` if there is no memory.
    init(_ headers: HTTPHeaders, _ additions: Additions) throws(HTTPError) {
        self.headers = headers
        self.additions = additions
        if let line = additions.acceptEncoding { try append(line) }
        var line: [UInt8] = []
        for position in headers.indices {
            line.removeAll(keepingCapacity: true)
            headers.withBytes(at: position) { name, value in
                line += name
                // libcurl's spelling of a field without a value.
                line.append(UInt8(ascii: value.isEmpty ? ";" : ":"))
                if !value.isEmpty { line.append(UInt8(ascii: " ")) }
                line += value
                line.append(0)
            }
            try append(line)
        }
        // A name without a value removes a field that libcurl would add by itself.
        if !headers.contains(.accept) { try append("Accept:") }
        if additions.hasContent, !headers.contains(.contentType) { try append("Content-Type:") }
        for line in additions.lines { try append(line) }
    }

    deinit { unsafe chttp_list_free(raw) }

    /// Returns `true` if this is the list of a request with these fields.
    func fits(_ headers: HTTPHeaders, _ additions: Additions) -> Bool {
        self.headers.isWritten(like: headers) && self.additions == additions
    }

    private func append(_ line: String) throws(HTTPError) {
        var bytes = Array(line.utf8)
        bytes.append(0)
        try append(bytes)
    }

    /// - Parameter line: A line that ends with NUL.
    private func append(_ line: [UInt8]) throws(HTTPError) {
        let longer = unsafe line.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.flatMap {
                unsafe chttp_list_append(raw, $0.assumingMemoryBound(to: CChar.self))
            }
        }
        guard let longer = unsafe longer else {
            throw HTTPError(.internalFailure, "libcurl has no memory for header lines")
        }
        unsafe raw = longer
    }
}
