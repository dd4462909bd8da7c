/// The content codings that a head names, the outermost last (RFC 9110 §8.4), without `identity`.
package struct ContentCodings: Equatable, Sendable {
    /// The names of the codings, in lower case.
    package private(set) var names: [String]

    /// Reads all `Content-Encoding` fields as one list.
    package init(_ headers: HTTPHeaders) {
        names = headers[values: .contentEncoding].flatMap { value in
            value.split(separator: ",").map { String($0).trimmingBlanks.lowercased() }
        }.filter { !$0.isEmpty && $0 != "identity" }
    }

    /// `true` if one of the codings is registered and changes the bytes (RFC 9110 §8.4.1).
    package var hasKnown: Bool {
        names.contains { ["gzip", "x-gzip", "deflate", "br", "zstd", "compress"].contains($0) }
    }
}
