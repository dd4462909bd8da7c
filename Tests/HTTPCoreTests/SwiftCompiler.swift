import HTTPCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The compiler that is in `PATH`, for what must not compile against HTTPCore as it was built.
struct SwiftCompiler {
    private let executable: String
    private let modules: String

    static var isAvailable: Bool { SwiftCompiler() != nil }

    /// - Returns: `nil` without a compiler, or without the module in the folder of this binary.
    init?() {
        let environment = ProcessInfo.processInfo.environment
        let executable = environment["PATH", default: ""].split(separator: ":")
            .map { "\($0)/swiftc" }.first(where: FileManager.default.isExecutableFile)
        let binary = CommandLine.arguments.first ?? ""
        let modules = binary[..<(binary.lastIndex(of: "/") ?? binary.startIndex)] + "/Modules"
        guard let executable,
            FileManager.default.fileExists(atPath: "\(modules)/HTTPCore.swiftmodule")
        else { return nil }
        self.executable = executable
        self.modules = String(modules)
    }

    func typecheck(_ source: String) throws -> (isAccepted: Bool, output: String) {
        let sourceFile = try TemporaryFile(source, named: ".swift")
        let output = try TemporaryFile("")
        let arguments = [
            executable, "-typecheck", "-swift-version", "6", "-parse-as-library", "-I", modules,
            sourceFile.path,
        ]
        let status = try Self.run(arguments, writingTo: output.path)
        return (status == 0, try output.text())
    }

    /// `posix_spawn`, since FoundationEssentials has no `Process`.
    private static func run(_ arguments: [String], writingTo path: String) throws -> Int32 {
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
