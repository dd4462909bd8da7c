import HTTPCore
import HTTPTesting

extension Probe {
    /// Sends `count` GETs of different lengths at once, and checks each response byte by byte.
    func burst(_ url: String, count: Int) async throws {
        let session = try makeSession()
        let start = ContinuousClock().now
        let failures = await withTaskGroup(of: String?.self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        let bytes = try await session.response(for: "\(url)/bytes/\(number)")
                            .data()
                        guard bytes.count == number,
                            LoopbackPattern.firstMismatch(in: Array(bytes)) == nil
                        else { return "request \(number): wrong content" }
                        return nil
                    } catch {
                        return "request \(number): \(error)"
                    }
                }
            }
            return await group.reduce(into: [String]()) { list, failure in
                if let failure { list.append(failure) }
            }
        }
        print("requests=\(count)")
        print("failures=\(failures.count)")
        if let first = failures.first { print("first_failure=\(first)") }
        print("milliseconds=\((ContinuousClock().now - start) / .milliseconds(1))")
        await close(session)
    }
}
