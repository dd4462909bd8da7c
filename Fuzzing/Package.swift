// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) } + [.strictMemorySafety()]
    // For CI only: a newer compiler with new warnings must not break the build for users.
    + (Context.environment["HTTP_WARNINGS_ARE_ERRORS"] == nil
        ? [] : [.treatAllWarnings(as: .error)])

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v26)],  // Task.immediate
    dependencies: [.package(name: "swift-http-session", path: "..")],
    targets: [
        // Links only with `--sanitize fuzzer`, whose runtime has the `main`.
        .executableTarget(
            name: "Fuzz",
            dependencies: [.product(name: "HTTPCore", package: "swift-http-session")],
            swiftSettings: settings
        )
    ],
    swiftLanguageModes: [.v6]
)
