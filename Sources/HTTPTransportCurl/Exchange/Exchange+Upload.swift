import HTTPCore
import PortableFoundation

// The request's body: a task produces it, and the loop gives it to libcurl.
extension Exchange {
    /// Starts the task that produces the request's body into the bounded buffer.
    func startPump() {
        request.body.willBeRead()
        // Now, not in the task: if the exchange ends before that has run, nothing else may send the
        // body, which libcurl has begun to read.
        let claimed = Result { () throws(HTTPError) in try request.body.claimReader() }
        let task = Task.detached { [self] in
            do {
                let reader: HTTPBodyReader
                if let stream = try claimed.get() {
                    reader = stream
                } else {
                    reader = try await request.body.makeReader()
                }
                while let piece = try await reader.next() {
                    var rest = piece
                    while !rest.isEmpty {
                        // In pieces, so that one large piece does not fill memory twice.
                        let part = rest.prefix(UploadBuffer.highWater)
                        rest = rest.dropFirst(part.count)
                        guard try await send(part) else { return }
                    }
                }
                if let trailers = request[RequestTrailers.self] {
                    let fields = try await trailers.fields()
                    let lines = fields.map { "\($0.name.spelling): \($0.value)" }
                    state.withLock { $0.upload?.trailerLines = lines }
                }
                try finishUpload()
            } catch {
                guard state.withLock({ $0.upload?.mayProducerFail }) != true else { return }
                _ = loop.post(.fail(self, Self.uploadError(error)))
            }
        }
        let isOver = state.withLock { state in
            guard let upload = state.upload, !upload.isOver else { return true }
            upload.pump = task
            return false
        }
        if isOver { task.cancel() }
    }

    private static func uploadError(_ error: any Error) -> HTTPError {
        if let error = error as? HTTPError, error.code == .requestBodyFailed { return error }
        return HTTPError(
            .requestBodyFailed, "the request's body could not be produced", underlyingError: error)
    }

    /// Adds bytes and waits while the buffer is full. Returns `false` if no more bytes are wanted.
    private func send(_ piece: Data) async throws -> Bool {
        let (mustTell, isFull) = try state.withLock { state throws(HTTPError) -> (Bool?, Bool) in
            guard let upload = state.upload, !upload.isOver else { return (nil, false) }
            return (try upload.buffer.append(piece), upload.buffer.isFull)
        }
        guard let mustTell else { return false }
        if mustTell { _ = loop.post(.resumeSending(self)) }
        if isFull { await waitForSpace() }
        return true
    }

    private func waitForSpace() async {
        await Suspension.wait { place in
            state.withLock { state in
                guard let upload = state.upload, upload.buffer.isFull, !upload.isOver else {
                    return false
                }
                return upload.wait.hold(place)
            }
        }
    }

    private func finishUpload() throws(HTTPError) {
        let mustTell = try state.withLock { state throws(HTTPError) in
            state.upload?.isOver == true ? nil : try state.upload?.buffer.finish()
        }
        if mustTell == true { _ = loop.post(.resumeSending(self)) }
    }

    /// Starts a task that reads what the loop would have to wait for. The loop then resumes
    /// sending.
    func fetch(_ piece: UploadFile.Fetch) {
        Task.detached { [self] in
            let result = Result { () throws(HTTPError) in try piece.read() }
            let isWanted = state.withLock { state in
                guard let upload = state.upload, !upload.isOver else { return false }
                upload.fetched = result
                return true
            }
            if isWanted { _ = loop.post(.resumeSending(self)) }
        }
    }

    func takeFetched() -> Result<UploadFile.Piece, HTTPError>? {
        state.withLock { $0.upload?.fetched.take() }
    }

    /// The lines of the trailers. They are complete once the body is.
    var trailerLines: [String] { state.withLock { $0.upload?.trailerLines ?? [] } }

    /// Moves bytes of the body into libcurl's buffer.
    func readUpload(into space: UnsafeMutableRawBufferPointer) -> UploadBuffer.Reading {
        let (reading, suspension) = state.withLock {
            state -> (UploadBuffer.Reading, Suspension?) in
            guard let upload = state.upload else { return (.end, nil) }
            let reading = unsafe upload.buffer.read(into: space)
            return (reading, upload.buffer.isLow ? upload.wait.end() : nil)
        }
        suspension?()
        return reading
    }

    /// Ends the upload and cancels the producer, because the exchange needs no more of the body.
    ///
    /// - Parameter reason: The error of a task that writes to the body.
    func endUpload(because reason: @autoclosure () -> HTTPError) {
        // The writer gets the reason first: a pump that is not wanted any more leaves the body,
        // which would end the writing without one.
        state.withLock { $0.upload?.mayProducerFail = true }
        request.body.endWriting(because: reason())
        let (pump, suspension) = state.withLock { state -> (Task<Void, Never>?, Suspension?) in
            guard let upload = state.upload else { return (nil, nil) }
            upload.isOver = true
            upload.fetched = nil
            return (upload.pump.take(), upload.wait.end())
        }
        suspension?()
        pump?.cancel()
    }
}
