import ConformanceVectors
import HTTPCore
import HTTPTransportURLSession
import Testing
import PortableFoundation
import PortableLibc

/// A run of the vectors of one file over URLSession, from a given vector until the process ends.
///
/// A vector that ends the process is the last of the results, and has no verdict.
struct URLSessionVectorRun {
    struct Result: Codable {
        var id: String
        /// `nil` until the vector has run to its end.
        var isRight: Bool?
        var text: String?
    }

    let file: String
    let from: Int

    /// Returns the results of all vectors that were begun, by id.
    func results() async throws -> [String: Result] {
        let folder = FileManager.default.temporaryDirectory.path
        let path = "\(folder)/http-vectors-\(getpid())-\(file)-\(from)"
        defer { _ = unsafe unlink(path) }
        // If the process ends early, this is a result, too.
        await withKnownIssue(isIntermittent: true) {
            await #expect(processExitsWith: .success) {
                [file = file as String, from = from as Int, path = path as String] in
                alarm(240)
                try await Self.run(file, from: from, writingTo: path)
            }
        }
        let lines = try Data(contentsOf: URL(filePath: path)).split(separator: 0x0A)
        let results = try lines.map { try JSONDecoder().decode(Result.self, from: $0) }
        return Dictionary(results.map { ($0.id, $0) }) { $1 }
    }

    private static func run(_ file: String, from: Int, writingTo path: String) async throws {
        for vector in try ConformanceData.cases(
            "http1-response/\(file).json", as: WireVector.self
        ).dropFirst(from) {
            try append(Result(id: vector.id), to: path)
            let session = URLSessionTransport()
            let outcome = try await vector.outcome(over: session)
            // A late end of the process belongs to this vector, not to the next one.
            await session.close()
            let isRight = vector.allows(outcome, .joined)
            try append(Result(id: vector.id, isRight: isRight, text: "\(outcome)"), to: path)
        }
    }

    private static func append(_ result: Result, to path: String) throws {
        let line = try JSONEncoder().encode(result) + Data("\n".utf8)
        guard let file = unsafe fopen(path, "a") else { throw SystemError(errno) }
        defer { unsafe fclose(file) }
        _ = unsafe line.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
    }
}
