import HTTPCore
import HTTPFormats
import HTTPHashing
import Synchronization
import PortableFoundation

extension CachedExchange {
    /// Returns a response of the origin, which is stored while it is read if it may be.
    func taken(
        _ response: HTTPResponse, instead old: HTTPStoredResponse?, requested: Date,
        received: Date, _ moment: UInt64, _ reason: HTTPCacheStatus.Forward
    ) async -> Outcome {
        var status = HTTPCacheStatus(forward: reason, forwardStatus: response.status)
        guard !rules.isHead else {
            if let old { await freshen(old, by: response.head, requested, received, moment) }
            return Outcome(response: response.with(status, for: request), end: .open)
        }
        let facts = CacheFacts(
            status: response.status, headers: response.headers, received: received)
        if let refusal = refusal(of: response, facts) {
            status.detail = refusal
            // The origin no longer sends the stored response.
            if let old, response.status.code < 500 { await cache.drop(old, key) }
            return Outcome(response: response.with(status, for: request), end: .unstored)
        }
        var response = response
        let stored = newlyStored(response, facts, requested: requested, received: received)
        let isWhole = response.body.isBytes
        if let writer = await writer(of: stored, response.body.length, moment) {
            status.isStored = await storing(&response, writer)
        }
        if status.isStored { status.timeToLive = stored.facts.lifetime - stored.age(at: received) }
        let end: PendingRequests.End = !status.isStored ? .unstored : isWhole ? .stored : .open
        return Outcome(response: response.with(status, for: request), end: end)
    }

    private func refusal(of response: HTTPResponse, _ facts: CacheFacts) -> String? {
        // A layer below has followed a redirect: the response belongs to another URL.
        guard response.url == request.url || (try? HTTPTarget(response.url).url) == key.url else {
            return "redirected"
        }
        guard CachePartition.covers(response.originalRequest, seen: request) else {
            return "credentials"
        }
        // A layer below has changed a field that selects the response.
        let fields = response.originalRequest.headers
        let isSelected = SelectingFields.names(in: response.headers).allSatisfy { name in
            let name = HTTPHeaderName(name)
            return name == .cookie || fields[values: name] == request.headers[values: name]
        }
        return isSelected ? Storability.refusal(of: response.head, facts) : "vary"
    }

    private func newlyStored(
        _ response: HTTPResponse, _ facts: CacheFacts, requested: Date, received: Date
    ) -> HTTPStoredResponse {
        var headers = StoredFields.stored(response.headers)
        // A field that `Connection` names does not count for a stored response.
        let isSame = headers.count == response.headers.count
        if !headers.contains(.date) { headers[.date] = HTTPDate(received).description }
        let names = SelectingFields.names(in: headers)
        var fields = request.headers
        // Cookies may have changed since the cache saw the request.
        if names.contains("cookie") {
            fields[values: .cookie] = response.originalRequest.headers[values: .cookie]
        }
        return HTTPStoredResponse(
            id: HTTPStoredResponse.newID(), status: response.status, headers: headers,
            selectingFields: names,
            variant: SelectingFields.variant(of: names, in: fields, for: key),
            requestDate: requested, responseDate: received, facts: isSame ? facts : nil)
    }

    private func writer(
        of stored: HTTPStoredResponse, _ length: Int64?, _ moment: UInt64
    ) async -> StoringWriter? {
        do {
            return try await cache.store.beginStoring(stored, for: key, length: length).map {
                StoringWriter(cache: cache, writer: $0, key: key, moment: moment)
            }
        } catch {
            cache.count(error)
            return nil
        }
    }

    /// Stores a body that is in memory at once, and any other while it is read.
    ///
    /// - Returns: `false` if the store does not take it.
    private func storing(_ response: inout HTTPResponse, _ writer: StoringWriter) async -> Bool {
        guard let bytes = response.body.bytes else {
            response.body = response.body.stored(by: writer)
            return true
        }
        if !bytes.isEmpty, await !writer.append(bytes) { return false }
        return await writer.commit(trailers: response.body.trailers)
    }

    /// Updates a stored response by a response to HEAD, or removes it if they differ
    /// (RFC 9111 §4.3.5).
    private func freshen(
        _ old: HTTPStoredResponse, by head: HTTPResponse.Head, _ requested: Date, _ received: Date,
        _ moment: UInt64
    ) async {
        guard head.status.code == 200, old.status.code == 200 else { return }
        func isSame(_ name: HTTPHeaderName) -> Bool? {
            head.headers[name].map { [value = old.headers[name]] in $0 == value }
        }
        // Something must say that it is the same response, and nothing that it is another one.
        let (tag, date) = (isSame(.eTag), isSame(.lastModified))
        let isNamed = (tag ?? date) == true
        // The length of coded content is none of content that was stored decoded.
        let isOfSameForm = head.headers[.contentEncoding] == old.headers[.contentEncoding]
        let hasSameLength = !isOfSameForm || isSame(.contentLength) != false
        let isConfirmed = isNamed && date != false && hasSameLength
        let updated = old.updated(by: head.headers, requested: requested, received: received)
        guard isConfirmed, !updated.facts.directives.noStore,
            SelectingFields.names(in: updated.headers) == old.selectingFields,
            !updated.headers.variesByAnything
        else { return await cache.drop(old, key) }
        guard cache.isValid(key, since: moment) else { return }
        do { try await cache.store.update(updated, for: key) } catch { cache.count(error) }
    }
}

extension HTTPStoredResponse {
    private static let programID = UInt64.random(in: .min ... .max).hexadecimal
    private static let lastNumber = Atomic(UInt64.random(in: .min ... .max))

    /// Returns the identity of new bytes: a random number of this program, and the next one.
    static func newID() -> String {
        let number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        return String(decoding: programID + number.hexadecimal, as: UTF8.self)
    }
}

extension UInt64 {
    /// The number as 16 hexadecimal digits.
    fileprivate var hexadecimal: [UInt8] {
        var digits = [UInt8](repeating: 0, count: 16)
        for place in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - 4 * place)) & 15
            digits[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        }
        return digits
    }
}
