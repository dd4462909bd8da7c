import HTTPCore
import PortableFoundation
import PortableLibc

/// A child process. Uses `posix_spawn`, because FoundationEssentials has no `Process`.
package enum ChildCommand {
    /// Runs the command to its end. Standard output and error go to the file.
    ///
    /// - Returns: the status as `waitpid` returns it, 0 for success.
    package static func run(_ arguments: [String], writingTo path: String) throws -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_TRUNC, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)

        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        var argv = unsafe arguments.map { unsafe strdup($0) } + [nil]
        var envp = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }

        var process = pid_t()
        let failure = unsafe posix_spawn(&process, arguments[0], &actions, nil, &argv, &envp)
        guard failure == 0 else { throw SystemError(failure) }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw SystemError(errno) }
        }
        return status
    }
}
