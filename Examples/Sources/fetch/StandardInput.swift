import HTTPClientKit
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The source of a body that is standard input: streamed as it comes, once.
final class StandardInput: HTTPBodySource {
    private let isAbandoned = Atomic(false)

    /// Waits in short steps, so that it notices the end of the request.
    func next() async throws -> Data? {
        while !isAbandoned.load(ordering: .relaxed) {
            try Task.checkCancellation()
            var wanted = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wanted, 1, 50) != 0 else {
                await Task.yield()
                continue
            }
            do throws(SystemError) {
                let piece = try Data(readingUpTo: 64 << 10, from: STDIN_FILENO)
                return piece.isEmpty ? nil : piece
            } catch {
                throw HTTPError(
                    .requestBodyFailed, "cannot read standard input: \(error)",
                    underlyingError: error)
            }
        }
        return nil
    }

    func abandon() { isAbandoned.store(true, ordering: .relaxed) }
}
