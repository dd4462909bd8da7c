import HTTPClientKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that a download continues at its end, as curl's `-C` does. There is no check that the
/// bytes belong together; `--resume` has one.
struct ContinuedFile: Sendable, Equatable {
    /// The number of bytes that are left out.
    let offset: Int64

    /// - Parameter argument: The value of `-C`: a number of bytes, or `-` for the file's length.
    init(argument: String, path: String?) throws(HTTPError) {
        if let number = Int64(argument), number >= 0 {
            offset = number
        } else if argument == "-" {
            var status = stat()
            let isThere = path.map { unsafe stat($0, &status) == 0 } ?? false
            offset = isThere ? Int64(status.st_size) : 0
        } else {
            throw HTTPError(
                .invalidRequest, "-C takes a number of bytes, or - for those of the file")
        }
    }

    /// Asks for the rest.
    func complete(_ request: inout HTTPRequest) throws(HTTPError) {
        guard offset > 0 else { return }
        guard !request.headers.contains(.range) else {
            throw HTTPError(.invalidRequest, "-C asks for a range: remove -r")
        }
        try request.headers.set(.range, "bytes=\(offset)-")
    }

    enum Rest: Equatable {
        /// The body is what is missing.
        case body
        /// Nothing is missing.
        case nothing
        /// The body is something else, such as an error's page.
        case other
    }

    /// Returns what a response has of the file.
    ///
    /// - Throws: ``FetchFailure/noRange`` if it begins somewhere else.
    func rest(_ head: HTTPResponse.Head) throws -> Rest {
        guard offset > 0 else { return .body }
        let range = head.headers["Content-Range"] ?? ""
        switch head.status.code {
        case 206:
            guard range.hasPrefix("bytes \(offset)-") else { throw FetchFailure.noRange }
            return .body
        case 416: return range == "bytes */\(offset)" ? .nothing : .other
        case 200..<300: throw FetchFailure.noRange
        default: return .other
        }
    }
}
