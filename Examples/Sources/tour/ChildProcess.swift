import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Another process of this program with other arguments, and its standard output line by line.
final class ChildProcess {
    enum Reading {
        case line(Data)
        case end
        /// No line arrived within the given time.
        case silence
    }

    private let process = Process()
    private let output = Pipe()
    private var buffer = Data()

    init(arguments: [String]) throws {
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// The end of the process; waits for it.
    var ending: String {
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? "exit status \(process.terminationStatus)"
            : "killed by signal \(process.terminationStatus)"
    }

    /// Kills the process, even if it no longer reacts to anything else.
    func kill() {
        systemKill(process.processIdentifier)
        process.waitUntilExit()
    }

    func nextLine(within seconds: Double) -> Reading {
        let descriptor = output.fileHandleForReading.fileDescriptor
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while true {
            if let newline = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(buffer[..<newline])
                buffer.removeSubrange(...newline)
                return .line(line)
            }
            let left = max(0, (end - clock.now) / .milliseconds(1))
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&event, 1, Int32(left))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return .silence }
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { return .end }
            buffer.append(piece)
        }
    }
}

/// The C library's `kill`, which the method of that name hides.
private func systemKill(_ process: Int32) { _ = kill(process, SIGKILL) }
