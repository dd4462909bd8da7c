import HTTPCore
import HTTPTesting

extension Probe {
    /// A reader that pauses 5 ms after every MiB, and once for 2 s, of a body of that many bytes.
    func slowRead(_ url: String, bytes: Int) async throws {
        let session = try makeSession()
        let response = try await session.response(for: "\(url)/bytes/\(bytes)")
        var received = 0
        var nextPause = 1 << 20
        var mismatches = 0
        for try await piece in response.body {
            // Every byte of one piece in sixteen, to spend the time reading rather than checking.
            if received / (1 << 16) % 16 == 0,
                LoopbackPattern.firstMismatch(in: Array(piece), from: received) != nil
            {
                mismatches += 1
            }
            let isMiddle = received < bytes / 2 && received + piece.count >= bytes / 2
            received += piece.count
            if isMiddle { try await Task.sleep(for: .seconds(2)) }
            if received >= nextPause {
                nextPause += 1 << 20
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        print("bytes=\(received)")
        print("mismatches=\(mismatches)")
        print("peak_resident_kib=\(ProcessFigures.peakResident)")
        await close(session)
    }
}
