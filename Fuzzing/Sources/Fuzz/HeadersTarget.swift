import FoundationEssentials
import HTTPCore
import HTTPFormats

extension FuzzTarget {
    /// The input is a header section, which the library reads as the head of a part. Then each line
    /// is the value of typed fields.
    static let headers = Self("headers") { bytes in
        if let headers = section(bytes) { checkSection(headers) }
        for line in bytes.textLines.prefix(8) { checkTyped(line) }
    }

    private static func section(_ bytes: Data) -> HTTPHeaders? {
        var parser = MultipartParser(boundary: "b", headLimit: 1 << 20)
        parser.append(Data("--b\r\n".utf8))
        parser.append(bytes)
        parser.append(Data("\r\n\r\n".utf8))
        guard case .head(let headers)? = try? parser.next() else { return nil }
        return headers
    }

    /// Fields that a message may contain can be written, and then read back equal.
    private static func checkSection(_ headers: HTTPHeaders) {
        var copy = HTTPHeaders()
        var lines = ""
        for field in headers {
            require(field.name.isToken, "a name is not a token")
            require(
                field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 },
                "a value contains a control character")
            do throws(HTTPError) { try copy.append(field.name, field.value) } catch {
                fatalError("broken: a field that was read cannot be written: \(error)")
            }
            lines += "\(field.name.spelling): \(field.value)\r\n"
            require(headers.contains(field.name), "a field is not found by its name")
            require(
                headers[values: field.name].first == headers[field.name],
                "the first of a name's values is another")
            if field.isSensitive {
                require(
                    "\(field)" == "\(field.name): <redacted>" && headers.isSensitive(field.name),
                    "a secret is visible")
            }
            _ = headers[combined: field.name]
        }
        require(Array(copy) == Array(headers), "fields differ after they are written")
        if !headers.isEmpty {
            let again = section(Data(lines.dropLast().utf8))
            require(again.map(Array.init) == Array(headers), "a section reads back differently")
        }
        var rest = headers
        for field in headers { rest.remove(field.name) }
        require(rest.isEmpty, "removed fields are still there")
        _ = ("\(headers)", headers.hashValue, headers == copy)
        _ = (headers.contentType, headers.contentLength, headers.contentDisposition)
        _ = (headers.links, headers.challenges, headers.proxyChallenges, headers.date)
        _ = (headers.expires, headers.lastModified, headers.retryAfter(now: now))
        checkSetting(headers)
    }

    /// A typed field that is read and set again is unchanged, and is one field line.
    private static func checkSetting(_ headers: HTTPHeaders) {
        func check<Value: Equatable>(_ field: WritableKeyPath<HTTPHeaders, Value?>) {
            guard let value = headers[keyPath: field] else { return }
            var copy = headers
            copy[keyPath: field] = value
            require(copy.refusedName == nil, "a field that was read cannot be set: \(value)")
            let again = copy[keyPath: field]
            require(again == value, "a field is \(String(describing: again)), was \(value)")
        }
        check(\.contentType)
        check(\.contentDisposition)
        check(\.contentRange)
        check(\.range)
        check(\.entityTag)
        check(\.cacheControl)
        check(\.accept)
        check(\.lastModified)
    }

    private static func checkTyped(_ line: String) {
        var headers = HTTPHeaders()
        guard (try? headers.append("X", line)) != nil else { return }
        requireRoundTrip(CacheControl(line), \.description) { CacheControl($0) }
        requireRoundTrip(Accept(line), \.description) { Accept($0) }
        requireRoundTrip(AcceptEncoding(line), \.description) { AcceptEncoding($0) }
        if let tag = EntityTag(line) {
            requireRoundTrip(tag, \.description) { EntityTag($0) }
            require(tag.matchesWeakly(tag), "an entity tag does not match itself")
            require(tag.matchesStrongly(tag) != tag.isWeak, "a weak tag matches strongly")
        }
        if let range = HTTPRange(line) {
            requireRoundTrip(range, \.description) { HTTPRange($0) }
            for part in range.parts {
                for length in [0, 1, 10, .max] {
                    guard let resolved = part.resolved(inLength: length) else { continue }
                    require(
                        resolved.lowerBound >= 0 && resolved.upperBound <= length
                            && !resolved.isEmpty, "\(part) is \(resolved) of \(length)")
                }
            }
        }
        if let range = ContentRange(line) {
            requireRoundTrip(range, \.description) { ContentRange($0) }
        }
        if let quality = QualityValue(line) {
            requireRoundTrip(quality, \.description) { QualityValue($0) }
        }
        if let retryAfter = RetryAfter(line, now: now) {
            requireRoundTrip(retryAfter, \.description) { RetryAfter($0, now: now) }
            require(retryAfter.delay(from: now) >= .zero, "a negative wait")
        }
        let accept = Accept(line)
        _ = (accept.quality(of: .json), accept.qualityOfUntyped)
        let control = CacheControl(line)
        _ = (control.maxAge, control.staleIfError)
    }

    static let now = Date(timeIntervalSince1970: 1_700_000_000)
}
