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

    /// Throws an error if there is more than one coding; transports decode at most one.
    ///
    /// Each coding multiplies the size that the outer one has produced, so a few hundred bytes can
    /// take days to decode.
    ///
    /// - Throws: `contentDecodingFailed` if there is more than one coding.
    package func refuseStacks() throws(HTTPError) {
        guard names.count > 1 else { return }
        let list = names.prefix(8).joined(separator: ", ").logSafe
        throw HTTPError(
            .contentDecodingFailed,
            "the content has \(names.count) codings, \(list), and no more than one is decoded",
            phase: .receiving, mayHaveReachedServer: true)
    }
}
