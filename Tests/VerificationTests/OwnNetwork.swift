import PortableLibc

/// A separate network, in which a program runs without effect on other programs.
enum OwnNetwork {
    static let isAvailable: Bool = {
        #if os(Linux)
            geteuid() == 0 && has(["unshare", "ip"]) && succeeds("true")
        #else
            false
        #endif
    }()

    static func has(_ programs: [String]) -> Bool {
        let folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]
        return programs.allSatisfy { program in
            folders.contains { unsafe access("\($0)/\(program)", X_OK) == 0 }
        }
    }

    /// Creates a process that runs a shell script in the network. The script ends with a program
    /// that replaces the shell, and everything ends with that program.
    static func process(
        _ script: String, _ arguments: [String] = [], _ environment: [String: String] = [:]
    ) throws -> ChildProcess {
        let whole = "PATH=$PATH:/usr/sbin:/sbin; set -e; ip link set lo up; \(script)"
        return try ChildProcess(
            path: "/usr/bin/unshare",
            // With a separate /proc, where libdispatch looks up its threads.
            [
                "--net", "--mount", "--mount-proc", "--pid", "--fork", "--kill-child", "sh", "-c",
                whole, "sh",
            ] + arguments,
            environment: environment)
    }

    static func succeeds(_ script: String) -> Bool {
        guard let process = try? process(script) else { return false }
        return process.exitCode() == 0
    }
}
