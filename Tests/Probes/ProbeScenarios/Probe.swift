// What the verification tests run in processes of their own, where memory, descriptors and threads
// can be counted and a hang can be killed. One scenario per file; results are `key=value` lines.

public import HTTPCore
import HTTPTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A transport under test, as one probe program has it.
public struct Probe: Sendable {
    public var makeSession: @Sendable () -> any HTTPSession
    public var close: @Sendable (any HTTPSession) async -> Void
    /// Handles of the library below that are alive.
    public var liveHandles: @Sendable () -> Int

    public init(
        makeSession: @escaping @Sendable () -> any HTTPSession,
        close: @escaping @Sendable (any HTTPSession) async -> Void,
        liveHandles: @escaping @Sendable () -> Int
    ) {
        self.makeSession = makeSession
        self.close = close
        self.liveHandles = liveHandles
    }

    /// Runs the scenario that the command line names and answers the exit code.
    public func run(_ arguments: [String]) async -> Int32 {
        do {
            switch (arguments.first, arguments.dropFirst().map(\.self)) {
            case ("serve", _): try serve()
            case ("burst", let rest) where rest.count == 2:
                try await burst(rest[0], count: Int(rest[1]) ?? 0)
            case ("storm", let rest) where rest.count == 3:
                try await storm(
                    rest[0], count: Int(rest[1]) ?? 0, seed: UInt64(rest[2]) ?? 0)
            case ("slow-read", let rest) where rest.count == 2:
                try await slowRead(rest[0], octets: Int(rest[1]) ?? 0)
            case ("fail", let rest) where rest.count == 2:
                await fail(rest[0], deadline: Int(rest[1]) ?? 0)
            default:
                print("error=usage: serve | burst | storm | slow-read | fail, with their arguments")
                return 2
            }
            return 0
        } catch {
            print("error=\(error)")
            return 1
        }
    }

    /// Serves the standard routes until standard input ends.
    private func serve() throws {
        let server = try LoopbackServer(script: LoopbackRoutes.standard)
        print("url=\(server.url)")
        flushOutput()
        while readLine() != nil {}
        server.stop()
    }
}

public func flushOutput() { fflush(nil) }

/// Numbers of this process.
enum ProcessFigures {
    static var openDescriptors: Int { count("/proc/self/fd") }
    static var threads: Int { count("/proc/self/task") }

    /// Peak resident size in KiB, or 0 where the system does not tell.
    static var peakResident: Int {
        guard let file = unsafe fopen("/proc/self/status", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while unsafe fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            guard text.hasPrefix("VmHWM:") else { continue }
            return Int(text.filter(\.isNumber)) ?? 0
        }
        return 0
    }

    private static func count(_ folder: String) -> Int {
        guard let directory = unsafe opendir(folder) else { return 0 }
        defer { unsafe closedir(directory) }
        var count = 0
        while unsafe readdir(directory) != nil { count += 1 }
        return count - 3  // ".", "..", and for descriptors the folder itself
    }
}
