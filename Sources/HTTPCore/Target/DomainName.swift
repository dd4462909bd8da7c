import InternationalDomainNames

/// A host name in the form that DNS uses: labels that are not all ASCII become `xn--` labels.
///
/// Implements *domain to ASCII* of the URL Standard (https://url.spec.whatwg.org/#idna), not
/// strict: UTS 46 with CheckBidi and CheckJoiners, nontransitional, without the rules of STD3, and
/// without checks of hyphens and lengths. A name in ASCII is not changed, and its `xn--` labels are
/// not checked; it only costs a pass over its bytes.
package struct DomainName: Hashable, Sendable {
    package let ascii: String

    /// Maps a host name to ASCII.
    ///
    /// - Throws: `invalidRequest` naming the byte or the label of `text` that cannot be mapped.
    package init(_ text: String) throws(HTTPError) {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            ascii = text
            return
        }
        // A scalar has at most four bytes, and is mapped to at least one byte or ignored.
        guard text.utf8.count <= 4 * 254 else {
            throw HTTPError(.invalidRequest, "the host \(text.logSafe) is too long")
        }
        do throws(InternationalDomainName.Refusal) {
            ascii = try InternationalDomainName(text).ascii
        } catch {
            throw HTTPError(
                .invalidRequest,
                "the host \(text.logSafe) cannot be mapped to ASCII: \(error.reason); "
                    + "write that label in its xn-- form")
        }
    }
}
