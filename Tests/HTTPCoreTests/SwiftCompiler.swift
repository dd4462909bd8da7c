import HTTPCore
import TestSupport
import PortableFoundation

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
        let status = try ChildCommand.run(arguments, writingTo: output.path)
        return (status == 0, try output.text())
    }
}
