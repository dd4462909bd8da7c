import HTTPCore
import HTTPTesting

extension Probe {
    /// Reads a body of this many bytes, with a pause of 5 ms after every MiB and one pause of 2 s.
    func slowRead(_ url: String, bytes: Int) async throws {
        let session = try makeSession()
        let response = try await session.response(for: "\(url)/bytes/\(bytes)")
        var received = 0
        var nextPause = 1 << 20
        var mismatches = 0
        for try await piece in response.body {
            // Checks one piece in sixteen, so that most of the time is spent reading.
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
