/// A name that messages use often, as programs spell it or in lower case, as HTTP/2 does.
///
/// A field of such a name costs neither a new `String` nor a search of its name for the words that
/// make it sensitive.
struct KnownName: Sendable {
    let name: HTTPHeaderName
    let isSensitive: Bool

    /// Finds the name of exactly this spelling; `nil` if it is not known.
    @inline(__always)
    init?(_ spelling: Span<UInt8>, fold: FieldNameFold) {
        guard let known = Table.shared.name(spelling, fold: fold) else { return nil }
        self = known
    }

    private init(_ name: HTTPHeaderName) {
        self.name = name
        isSensitive = name.isSensitive
    }

    private struct Table {
        static let shared = Table()

        private var names: [KnownName] = []
        /// The spellings without gaps, and the end of each.
        private var spellings: [UInt8] = []
        private var ends = [0]
        /// The indices of `names` plus one, by the fold of the name; 0 is an empty slot. Names of
        /// the same slot are in the next ones. Most slots are empty.
        private var slots = [UInt8](repeating: 0, count: 512)

        private init() {
            for name in HTTPHeaderName.common {
                add(name)
                add(HTTPHeaderName(name.spelling.lowercased()))
            }
        }

        private mutating func add(_ name: HTTPHeaderName) {
            names.append(KnownName(name))
            spellings += name.spelling.utf8
            ends.append(spellings.count)
            var slot = firstSlot(of: name.fold)
            while slots[slot] != 0 { slot = self.slot(after: slot) }
            slots[slot] = UInt8(names.count)
        }

        @inline(__always)
        func name(_ spelling: Span<UInt8>, fold: FieldNameFold) -> KnownName? {
            var slot = firstSlot(of: fold)
            while slots[slot] != 0 {
                let index = Int(slots[slot]) &- 1
                if spellings.span.extracting(ends[index]..<ends[index &+ 1]).equals(spelling) {
                    return names[index]
                }
                slot = self.slot(after: slot)
            }
            return nil
        }

        private func firstSlot(of fold: FieldNameFold) -> Int {
            Int(fold.value) & (slots.count &- 1)
        }

        private func slot(after slot: Int) -> Int { (slot &+ 1) & (slots.count &- 1) }
    }
}

extension HTTPHeaderName {
    fileprivate static let common: [HTTPHeaderName] = [
        accept, acceptEncoding, acceptLanguage, acceptRanges, age, allow, altSvc, authorization,
        cacheControl, connection, contentDisposition, contentEncoding, contentLanguage,
        contentLength, contentLocation, contentRange, contentType, cookie, date, eTag, expect,
        expires, host, ifMatch, ifModifiedSince, ifNoneMatch, ifRange, ifUnmodifiedSince, keepAlive,
        lastEventID, lastModified, link, location, origin, priority, proxyAuthenticate,
        proxyAuthorization, range, referer, retryAfter, server, serverTiming, setCookie,
        strictTransportSecurity, te, traceparent, tracestate, trailer, transferEncoding, upgrade,
        userAgent, vary, via, wwwAuthenticate,
    ]
}
