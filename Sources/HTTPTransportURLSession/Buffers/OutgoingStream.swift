#if !canImport(Darwin)
    import Foundation
    import HTTPCore

    /// A complete body as the stream that URLSession on Linux reads. It never waits.
    ///
    /// It replaces `httpBody`, because libcurl sends a request again when a kept connection turns
    /// out to be dead. URLSession then rewinds a stream, but never a body in memory (measured: the
    /// second request announces its length and sends nothing).
    final class OutgoingStream: InputStream {
        private let body: BodySpool
        private let hasRead: (Int) -> Void
        private var position: Int64 = 0
        private var status = Stream.Status.notOpen

        /// - Parameter hasRead: called with the number of bytes that were read, on URLSession's
        ///   queue.
        init(_ body: BodySpool, hasRead: @escaping (Int) -> Void) {
            self.body = body
            self.hasRead = hasRead
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { status }
        override var streamError: (any Error)? { nil }
        override func open() { status = .open }
        override func close() { status = .closed }
        override var hasBytesAvailable: Bool { position < body.count }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: length)
            let count: Int
            switch body {
            case .empty: count = 0
            case .memory(let data):
                count = min(length, data.count - Int(position))
                let start = data.startIndex + Int(position)
                unsafe data.copyBytes(to: target, from: start..<start + count)
            case .file(let file, _):
                count = unsafe file.read(at: position, into: target)
            }
            guard count > 0 else {
                status = count < 0 ? .error : .atEnd
                return count
            }
            position += Int64(count)
            hasRead(count)
            return count
        }

        override func getBuffer(
            _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
            length: UnsafeMutablePointer<Int>
        ) -> Bool { false }
    }

    /// A body that must not be sent a second time. It breaks the request off when it is read.
    final class VetoStream: InputStream {
        init() { super.init(data: Data()) }

        override var streamStatus: Stream.Status { .open }
        override var streamError: (any Error)? { nil }
        override func open() {}
        override func close() {}
        override var hasBytesAvailable: Bool { true }
        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            -1
        }
        override func getBuffer(
            _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
            length: UnsafeMutablePointer<Int>
        ) -> Bool { false }
    }
#endif
