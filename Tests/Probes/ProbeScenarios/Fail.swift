import HTTPCore

extension Probe {
    /// Sends a request that is expected to fail, and prints the error and the time until then.
    ///
    /// - Parameter deadline: The deadline in milliseconds; 0 for none.
    func fail(_ url: String, deadline: Int) async throws {
        let session = try makeSession()
        let start = ContinuousClock().now
        func report(_ name: String, _ timer: HTTPError.Timer?) {
            print("outcome=\(name)")
            print("timer=\(timer.map { $0.name.rawValue } ?? "none")")
            print("milliseconds=\((ContinuousClock().now - start) / .milliseconds(1))")
        }
        do {
            var request = try HTTPRequest(.get, url)
            if deadline > 0 { request = request.deadline(in: .milliseconds(deadline)) }
            let response = try await session.response(for: request)
            let bytes = try await response.data()
            report("\(response.status.code) with \(bytes.count) bytes", nil)
        } catch let error as HTTPError {
            report(error.code.rawValue, error.timer)
            print("error_text=\(error)")
        } catch {
            report("\(error)", nil)
        }
        await close(session)
    }
}
