import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Declarations with the names and signatures of OpenAPIRuntime 1, as far as the guide uses them.
enum OpenAPIRuntime {
    typealias ByteChunk = ArraySlice<UInt8>

    struct HTTPBody: AsyncSequence, Sendable {
        typealias Element = ByteChunk

        enum Length: Sendable, Equatable {
            case unknown
            case known(Int64)
        }

        enum IterationBehavior: Sendable {
            case single
            case multiple
        }

        let length: Length
        let iterationBehavior: IterationBehavior
        private let begin: @Sendable () -> AsyncThrowingStream<ByteChunk, any Error>

        init<Chunks: AsyncSequence & Sendable>(
            _ chunks: Chunks, length: Length, iterationBehavior: IterationBehavior
        ) where Chunks.Element == ByteChunk {
            self.length = length
            self.iterationBehavior = iterationBehavior
            begin = {
                AsyncThrowingStream { continuation in
                    Task {
                        do {
                            for try await chunk in chunks { continuation.yield(chunk) }
                            continuation.finish()
                        } catch {
                            continuation.finish(throwing: error)
                        }
                    }
                }
            }
        }

        func makeAsyncIterator() -> AsyncThrowingStream<ByteChunk, any Error>.Iterator {
            begin().makeAsyncIterator()
        }
    }
}

protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPTypes.HTTPRequest, body: OpenAPIRuntime.HTTPBody?, baseURL: URL,
        operationID: String
    ) async throws -> (HTTPTypes.HTTPResponse, OpenAPIRuntime.HTTPBody?)
}
