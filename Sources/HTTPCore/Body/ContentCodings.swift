/// The content codings that a head names, outermost last (RFC 9110 §8.4), `identity` left out.
package struct ContentCodings: Equatable, Sendable {
    /// In lower case.
    package private(set) var names: [String]

    /// All fields of the name count together.
    package init(_ headers: HTTPHeaders) {
        names = headers[values: .contentEncoding].flatMap { value in
            value.split(separator: ",").map { member in
                member.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
        }.filter { !$0.isEmpty && $0 != "identity" }
    }

    /// Each coding multiplies what the one around it has become, so that a few hundred bytes can
    /// stand for days of decoding: transports that decode take one.
    ///
    /// - Throws: `contentDecodingFailed` for more than one.
    package func refuseStacks() throws(HTTPError) {
        guard names.count > 1 else { return }
        let list = names.prefix(8).joined(separator: ", ").logSafe
        throw HTTPError(
            .contentDecodingFailed,
            "the content has \(names.count) codings, \(list), and no more than one is decoded",
            phase: .receiving, mayHaveReachedServer: true)
    }
}
