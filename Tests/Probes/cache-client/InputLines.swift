import Dispatch

/// The lines of standard input. A thread of its own waits for them.
struct InputLines: AsyncSequence {
    func makeAsyncIterator() -> AsyncStream<String>.Iterator {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        DispatchQueue(label: "input").async {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines.makeAsyncIterator()
    }
}
