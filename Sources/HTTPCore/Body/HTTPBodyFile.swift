package import PortableFoundation
import PortableLibc

/// The bytes of a regular file. The file is checked early, and opened late, once per reading.
package struct HTTPBodyFile: Sendable {
    let path: String
    package let range: Range<Int64>
    /// `true` if a range was given, even if it covers the whole file.
    let isPart: Bool

    package var length: Int64 { Int64(range.count) }

    init(path: String, range: Range<Int64>?) throws(HTTPError) {
        func refuse(_ reason: String, _ cause: SystemError? = nil) -> HTTPError {
            HTTPError(
                .invalidRequest, "the file \(path.logSafe) cannot be a body: \(reason)",
                phase: .preparing, underlyingError: cause)
        }
        guard !path.utf8.contains(0) else { throw refuse("its path holds a NUL") }
        var status = stat()
        guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
            let error = SystemError(errno)
            throw refuse(error.description, error)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw refuse("it is not a regular file") }
        let size = Int64(status.st_size)
        self.path = path
        self.range = range ?? 0..<size
        self.isPart = range != nil
        guard self.range.lowerBound >= 0, self.range.upperBound <= size else {
            throw refuse("it has \(size) bytes, the range is \(self.range)")
        }
    }
}

extension HTTPBodyFile {
    /// Opens the file.
    ///
    /// - Returns: A descriptor that the caller must close.
    /// - Throws: `requestBodyFailed` if the file cannot be opened or is no longer a regular file.
    package func open() throws(HTTPError) -> Int32 {
        // Does not wait for a writer if the file has been replaced with a FIFO.
        let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("opened", SystemError(errno)) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            _ = systemClose(descriptor)
            throw HTTPError(
                .requestBodyFailed, "the file \(path.logSafe) is no longer a regular file")
        }
        return descriptor
    }

    /// Reads once, as the system call does: at least one byte, but possibly fewer than `count`.
    ///
    /// - Throws: `requestBodyFailed`, also if the file has become shorter and has no bytes at
    ///   `position`.
    package func read(
        _ descriptor: Int32, count: Int, at position: Int64
    ) throws(HTTPError) -> Data {
        // Not filled with zeros, as a `Data` of that count would be.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
        var result: Int
        repeat {
            result = unsafe pread(descriptor, memory, count, off_t(position))
        } while result < 0 && errno == EINTR
        guard result > 0 else {
            let error =
                result < 0
                ? failure("read", SystemError(errno))
                : HTTPError(
                    .requestBodyFailed, "the file \(path.logSafe) has become shorter")
            unsafe memory.deallocate()
            throw error
        }
        return unsafe Data(
            bytesNoCopy: memory, count: result,
            deallocator: .custom { memory, _ in unsafe memory.deallocate() })
    }

    /// - Parameter action: A participle, such as `"read"`.
    private func failure(_ action: String, _ error: SystemError) -> HTTPError {
        HTTPError(
            .requestBodyFailed, "the file \(path.logSafe) could not be \(action): \(error)",
            underlyingError: error)
    }
}

/// Reads a file in order. Each read blocks the thread, as usual for local files.
final class FileBodySource: HTTPBodySource {
    private static let pieceLength = 256 << 10

    private let file: HTTPBodyFile
    private struct State {
        var descriptor: Int32?
        var position: Int64
        var isOver = false
    }
    private let state: Locked<State>

    init(_ file: HTTPBodyFile) {
        self.file = file
        self.state = Locked(State(position: file.range.lowerBound))
    }

    deinit { abandon() }

    func next() async throws -> Data? {
        // The descriptor belongs to this call while it reads: `abandon()` neither waits for the
        // disk nor closes the descriptor during a read.
        let (opened, position) = try state.withLock { state throws(HTTPError) in
            guard !state.isOver else { throw HTTPError.bodyAlreadyRead }
            return (state.descriptor.take(), state.position)
        }
        let count = Int(min(Int64(Self.pieceLength), file.range.upperBound - position))
        guard count > 0 else {
            opened.map(Self.close)
            return nil
        }
        let descriptor = try opened ?? file.open()
        let data: Data
        do {
            data = try file.read(descriptor, count: count, at: position)
        } catch {
            Self.close(descriptor)
            abandon()
            throw error
        }
        let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            state.descriptor = descriptor
            state.position += Int64(data.count)
            return false
        }
        if isOver {
            Self.close(descriptor)
            throw HTTPError.bodyAlreadyRead
        }
        return data
    }

    func abandon() {
        let descriptor = state.withLock { state in
            state.isOver = true
            return state.descriptor.take()
        }
        descriptor.map(Self.close)
    }

    private static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { unsafe open(path, flags) }

/// A source of bytes in memory.
final class BytesBodySource: HTTPBodySource {
    private let rest: Locked<Data?>

    init(_ bytes: Data) { rest = Locked(bytes) }

    func next() async throws -> Data? {
        rest.withLock { rest in
            defer { rest = nil }
            return rest.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    func abandon() { rest.withLock { $0 = nil } }
}

/// A source of the elements of an asynchronous sequence. It is an actor so that the iterator has
/// one owner.
actor AsyncSequenceBodySource<Bytes: AsyncSequence & Sendable>: HTTPBodySource
where Bytes.Element == Data {
    private let sequence: Bytes
    private var iterator: Bytes.AsyncIterator?
    private struct State {
        var isOver = false
        var step: Task<Data?, any Error>?
    }
    private let state = Locked(State())

    init(_ sequence: Bytes) { self.sequence = sequence }

    func next() async throws -> Data? {
        // A separate task, so that `abandon()` ends the wait for a sequence that produces nothing.
        let step = Task { try await self.step() }
        let isOver = state.withLock { state in
            state.step = step
            return state.isOver
        }
        if isOver { step.cancel() }
        do {
            defer { state.withLock { $0.step = nil } }
            return try await withTaskCancellationHandler {
                try await step.value
            } onCancel: {
                step.cancel()
            }
        } catch {
            let wasOver = state.withLock { state in
                defer { state.isOver = true }
                return state.isOver
            }
            throw wasOver ? HTTPError.bodyAlreadyRead : error
        }
    }

    private func step() async throws -> Data? {
        while true {
            try Task.checkCancellation()
            // Taken out while it waits: only one `next()` runs at a time.
            var iterator = self.iterator.take() ?? sequence.makeAsyncIterator()
            let data = try await iterator.next(isolation: self)
            self.iterator = iterator
            guard let data else {
                // AsyncStream and others end when they are cancelled. Such an end does not complete
                // the body.
                try Task.checkCancellation()
                return nil
            }
            if !data.isEmpty { return data }
        }
    }

    nonisolated func abandon() {
        let step = state.withLock { state in
            state.isOver = true
            return state.step
        }
        step?.cancel()
    }
}
