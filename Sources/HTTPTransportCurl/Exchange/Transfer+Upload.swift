import CHTTPTransportCurl
import HTTPCore
import PortableFoundation

// The request's content: libcurl takes it piece by piece, once or again.
extension Transfer {
    /// `true` if libcurl has taken as many bytes as the body has.
    var hasTakenBody: Bool { upload.map { Int64($0.position) } == exchange.request.body.length }

    func readBody(into space: UnsafeMutableRawBufferPointer) -> Int {
        times.lastActivity = loop.turn.progress(content: space.count)
        if machine.isContentCut { return Int(CHTTP_READ_PAUSE) }
        if hasResponseWaiting {
            flow.yield()
            loop.hold(self)
            return Int(CHTTP_READ_PAUSE)
        }
        guard let upload else { return 0 }
        switch upload.form {
        case .bytes(let bytes):
            let count = min(space.count, bytes.count - upload.position)
            let start = bytes.startIndex + upload.position
            unsafe bytes[start..<start + count].withUnsafeBytes { piece in
                unsafe UnsafeMutableRawBufferPointer(rebasing: space[..<count])
                    .copyMemory(from: piece)
            }
            upload.position += count
            if count == 0 || hasTakenBody { endedUpload() }
            return count
        case .file: return unsafe readFile(into: space)
        case .none, .fields, .stream: return unsafe readStream(into: space)
        }
    }

    private func readStream(into space: UnsafeMutableRawBufferPointer) -> Int {
        if machine.produce() { exchange.startPump() }
        switch unsafe exchange.readUpload(into: space) {
        case .copied(let count):
            upload?.position += count
            // With trailers, the upload ends after them.
            if upload?.trailers == nil, hasTakenBody { endedUpload() }
            return count
        case .end:
            endedUpload()
            return 0
        case .wait:
            flow.pauseSending()
            return Int(CHTTP_READ_PAUSE)
        }
    }

    /// `true` if something has come over the connection while the body is sent.
    ///
    /// A server of HTTP/1.1 that does not want the rest responds and closes the connection. What is
    /// sent after that makes the connection fail, and libcurl would not read the response any more
    /// (RFC 9112 §9.6).
    private var hasResponseWaiting: Bool {
        guard connection.speaksHTTP1, !machine.hasHead,
            let id = connection.use.id
        else { return false }
        return chttp_has_input(id.descriptor) != 0
    }

    private func readFile(into space: UnsafeMutableRawBufferPointer) -> Int {
        do throws(HTTPError) {
            if let piece = exchange.takeFetched() { upload?.file?.add(try piece.get()) }
            switch unsafe upload?.readFile(into: space) {
            case .copied(let count):
                upload?.position += count
                if hasTakenBody { endedUpload() }
                return count
            case .wait(let piece):
                exchange.fetch(piece)
                flow.pauseSending()
                return Int(CHTTP_READ_PAUSE)
            case .end, nil:
                endedUpload()
                return 0
            }
        } catch {
            machine.fail(
                with: HTTPError(
                    .requestBodyFailed, error.message, phase: .sending, mayHaveReachedServer: true,
                    underlyingError: error.underlyingError))
            return Int(CHTTP_READ_ABORT)
        }
    }

    func endedUpload() {
        awaitRequestSent()
        guard machine.take() else { return }
        limitDraining()
        if observes { markDirty() }
    }

    func rewindBody(to offset: Int64) -> Bool {
        let length: Int64
        switch upload?.form {
        case .bytes(let bytes): length = Int64(bytes.count)
        case .file(let file): length = file.length
        case .stream where machine.isFinalRefusal: return true
        case nil, .none?, .fields, .stream: return (upload?.position ?? 0) == 0 && offset == 0
        }
        guard (0...length).contains(offset) else { return false }
        upload?.position = Int(offset)
        return true
    }

    func rewindUpload() throws(HTTPError) {
        upload?.position = 0
        _ = flow.resumeSending()
        try openUploadFile()
    }

    /// Opens the file before anything is sent, so that a missing file fails only this request.
    func openUploadFile() throws(HTTPError) {
        guard let file = exchange.request.body.file else { return }
        upload?.file = try UploadFile(
            file, readsCached: loop.settings.configuration.readsCachedFiles)
    }
}
