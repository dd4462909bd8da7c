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

/// Joins the library's Swift package, because targets use `package` members (parsers, structured
/// fields). The package's name there is that of its folder, since a path is its identity.
let library = Context.packageDirectory.split(separator: "/").dropLast().last ?? ""
let joining = [
    "-package-name", String(library.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }),
]

let package = Package(
    name: "Fuzzing",
    platforms: [.macOS(.v26)],  // Task.immediate
    dependencies: [.package(name: "swift-http-session", path: "..")],
    targets: [
        // Links only with `--sanitize fuzzer`, whose runtime has the `main`.
        .executableTarget(
            name: "Fuzz",
            dependencies: ["HTTPCore", "HTTPCodings", "HTTPFormats", "HTTPTransportCurl"].map {
                .product(name: $0, package: "swift-http-session")
            },
            packageAccess: false,
            swiftSettings: settings + [.unsafeFlags(joining)]
        )
    ],
    swiftLanguageModes: [.v6]
)
