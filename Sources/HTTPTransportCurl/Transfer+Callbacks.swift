import CHTTPTransportCurl
import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// libcurl calls these on the loop's thread, for a handle that is in the multi handle; the loop keeps
// the transfer alive until the handle has left it. They record, and never run anybody's code.
extension Transfer {
    private static func at(_ context: UnsafeMutableRawPointer) -> Transfer {
        unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    static let headerCallback: chttp_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return 0 }
        let octets = unsafe UnsafeBufferPointer(start: data, count: size * count)
        return unsafe octets.withMemoryRebound(to: UInt8.self) { octets in
            unsafe at(context).receivedLine(octets.span) ? octets.count : 0
        }
    }

    static let writeCallback: chttp_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return 0 }
        let octets = unsafe UnsafeRawBufferPointer(start: data, count: size * count)
        return unsafe at(context).receivedBody(octets) ? octets.count : Int(CHTTP_WRITE_ERROR)
    }

    static let readCallback: chttp_data_callback = { data, size, count, context in
        guard let context = unsafe context else { return Int(CHTTP_READ_ABORT) }
        return unsafe at(context).readBody(
            into: UnsafeMutableRawBufferPointer(start: data, count: size * count))
    }

    static let seekCallback: chttp_seek_callback = { context, offset, _ in
        guard let context = unsafe context else { return 1 }
        return unsafe at(context).rewind(to: offset) ? 0 : 1
    }

    static let prereqCallback: chttp_prereq_callback = { context, address, _, port, _ in
        guard let context = unsafe context else { return 1 }
        let address = unsafe address.map { unsafe String(cString: $0) }
        return unsafe at(context).willSend(to: address, port: port) ? 0 : 1
    }

    /// The request is about to be written, by us or anew by libcurl. Answers whether it may be.
    private func willSend(to address: String?, port: Int32) -> Bool {
        starts += 1
        lastActivity = core.now
        staleSystemError = easy?.long(CHTTP_INFO_OS_ERRNO)
        if let address {
            remoteAddress =
                address.utf8.contains(UInt8(ascii: ":"))
                ? "[\(address)]:\(port)" : "\(address):\(port)"
        }
        if starts == 1 {
            // Not the turn's time: a TLS handshake may have been computed in this very turn.
            sending = chttp_monotonic_ns()
            if case .fields(let octets) = uploadForm { uploadPosition = octets.count }
            // The body, if any, leaves with the head.
            if observes, !isUpload {
                events.append(.sent)
                markDirty()
            }
            return true
        }
        // libcurl's own re-send, after a kept connection turned out dead.
        let hasSent = easy.map { $0.long(CHTTP_INFO_REQUEST_SIZE) > 0 } ?? false
        guard !hasSent || (exchange.request.method.isIdempotent && starts <= 3) else {
            isVetoed = true
            return false
        }
        return true
    }

    private func receivedLine(_ line: Span<UInt8>) -> Bool {
        lastActivity = core.now
        hasReceived = true
        if firstByte == nil { firstByte = chttp_monotonic_ns() }
        do throws(HeadCollector.Violation) {
            switch try collector.receive(line) {
            case .none: break
            case .informational:
                if observes, let head = head() { events.append(.informational(head)) }
            case .head:
                if speaksHTTP1, collector.version != .http1_1, collector.version != .http1_0 {
                    throw .malformed("the status line names a version that was not agreed on")
                }
                hasHead = true
                if collector.version == .http2 { core.speaksHTTP2(exchange.target.origin) }
                if let wanted = exchange.request.version, wanted != collector.version {
                    failure = HTTPError(
                        .protocolViolation,
                        "the server speaks \(collector.version?.rawValue ?? "another version"), "
                            + "the request asks for \(wanted)",
                        phase: .waiting, mayHaveReachedServer: true)
                    return false
                }
                if decodes, hasContent, collector.headers.contains(.contentEncoding) {
                    collector.removeCodedForm()
                }
                if observes, let head = head() { events.append(.head(head)) }
                markDirty()
            }
            return true
        } catch {
            failure = error.error
            return false
        }
    }

    /// Whether the response can have content (RFC 9110 §6.4.1).
    var hasContent: Bool {
        exchange.request.method != .head && collector.status != .noContent
            && collector.status != .notModified
    }

    func head() -> HTTPResponse.Head? {
        collector.status.map {
            HTTPResponse.Head(
                status: $0, headers: collector.headers, url: exchange.request.url,
                version: collector.version)
        }
    }

    private func receivedBody(_ octets: UnsafeRawBufferPointer) -> Bool {
        lastActivity = core.now
        guard octets.count > 0 else { return true }
        decoded += Int64(octets.count)
        guard mode == .delivering else { return true }
        if let bufferLimit, buffer.count + octets.count > bufferLimit {
            failure = HTTPError.bodyTooLarge(limit: bufferLimit)
            return false
        }
        let left = collector.contentLength.map { max(0, $0 - decoded) + Int64(octets.count) }
        unsafe buffer.append(octets, expecting: bufferLimit == nil ? nil : left)
        markDirty()
        // All octets are taken, then the transfer is paused: an answer of "pause" would make libcurl
        // copy them again and again.
        if bufferLimit == nil, !isReceivingPaused,
            queued + buffer.count >= core.configuration.highWater
        {
            isReceivingPaused = true
            wasPaused = true
            return applyPause()
        }
        return true
    }

    private func readBody(into space: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = core.now
        if case .octets(let octets) = uploadForm {
            let count = min(space.count, octets.count - uploadPosition)
            let start = octets.startIndex + uploadPosition
            unsafe octets[start..<start + count].withUnsafeBytes { piece in
                unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<count])
                    .copyMemory(from: piece)
            }
            uploadPosition += count
            if count == 0 || uploadPosition == octets.count { endedUpload() }
            return count
        }
        if !isPumping {
            isPumping = true
            exchange.startPump()
        }
        switch unsafe exchange.readUpload(into: space) {
        case .copied(let count):
            uploadPosition += count
            if let length = exchange.request.body.length, Int64(uploadPosition) == length {
                endedUpload()
            }
            return count
        case .end:
            endedUpload()
            return 0
        case .wait:
            isSendingPaused = true
            wasPaused = true
            return Int(CHTTP_READ_PAUSE)
        }
    }

    func endedUpload() {
        guard !hasUploadEnded else { return }
        hasUploadEnded = true
        if observes {
            events.append(.sent)
            markDirty()
        }
    }

    /// libcurl wants to send the body again.
    private func rewind(to offset: Int64) -> Bool {
        guard case .octets(let octets) = uploadForm, (0...Int64(octets.count)).contains(offset)
        else {
            return uploadPosition == 0 && offset == 0
        }
        uploadPosition = Int(offset)
        return true
    }

    func markDirty() {
        guard !isDirty else { return }
        isDirty = true
        core.willFlush(self)
    }
}
