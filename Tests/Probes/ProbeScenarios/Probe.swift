// The scenarios that the verification tests run in separate processes, where memory, descriptors
// and threads can be counted and a hang can be killed. Each file has one scenario, which prints its
// results as `key=value` lines.

public import HTTPCore
import HTTPTesting
import PortableFoundation
import PortableLibc

/// The transport under test of a probe program.
public struct Probe: Sendable {
    public var makeSession: @Sendable () throws -> any HTTPSession
    public var close: @Sendable (any HTTPSession) async -> Void
    /// The number of live handles of the library below.
    public var liveHandles: @Sendable () -> Int

    public init(
        makeSession: @escaping @Sendable () throws -> any HTTPSession,
        close: @escaping @Sendable (any HTTPSession) async -> Void,
        liveHandles: @escaping @Sendable () -> Int
    ) {
        self.makeSession = makeSession
        self.close = close
        self.liveHandles = liveHandles
    }

    /// Runs the scenario that the command line names, and returns the exit code.
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
                try await slowRead(rest[0], bytes: Int(rest[1]) ?? 0)
            case ("fail", let rest) where rest.count == 2:
                try await fail(rest[0], deadline: Int(rest[1]) ?? 0)
            case ("chaos-server", let rest) where rest.count == 2:
                try chaosServer(seed: UInt64(rest[0]) ?? 0, echo: UInt16(rest[1]))
            case ("chaos", let rest) where rest.count == 5:
                try await chaos(
                    seconds: Int(rest[0]) ?? 0, seed: UInt64(rest[1]) ?? 0, host: rest[2],
                    plain: UInt16(rest[3]) ?? 0, secure: UInt16(rest[4]))
            case ("black-hole", _): try await blackHole()
            default:
                print(
                    "error=usage: serve | burst | storm | slow-read | fail | chaos-server | "
                        + "chaos | black-hole, with their arguments")
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

/// The resources that this process uses.
public enum ProcessFigures {
    /// The number of open descriptors, without Dispatch's timers.
    ///
    /// Dispatch creates a timer for each clock at the first wait, and keeps it.
    static var openDescriptors: Int {
        let folder = "/proc/self/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // A descriptor that was closed since, such as that of this listing, has no destination.
        return numbers.lazy.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }.count { $0 != "anon_inode:[timerfd]" }
    }

    /// The peak resident size in KiB, or 0 if the system does not report it.
    public static var peakResident: Int {
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
}
