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

func http(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-http-session")
}
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-http-session", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    ],
    targets: [
        .target(
            name: "TransportChoice",
            dependencies: [
                argumentParser, http("HTTPCore"), http("HTTPTransportCurl"),
                http("HTTPTransportURLSession"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "fetch",
            dependencies: [
                "TransportChoice", argumentParser, http("HTTPClientKit"),
                http("HTTPTransportCurl"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FetchTests",
            dependencies: ["fetch", argumentParser, http("HTTPClientKit"), http("HTTPTesting")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "daemon",
            dependencies: [argumentParser, http("HTTPClientKit"), http("HTTPTransportCurl")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "loopback",
            dependencies: [argumentParser, http("HTTPTesting")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "tour",
            dependencies: [
                "TransportChoice", argumentParser, http("HTTPCore"), http("HTTPFormats"),
                http("HTTPTesting"),
            ],
            swiftSettings: settings
        ),

        // A custom transport that uses only the public API, and its conformance suite.
        .target(
            name: "SocketTransport", dependencies: [http("HTTPCore")], swiftSettings: settings),
        .testTarget(
            name: "SocketTransportTests",
            dependencies: ["SocketTransport", http("HTTPTesting")],
            swiftSettings: settings
        ),

        // A library such as others write, with tests that use HTTPTesting.
        .target(
            name: "ToDoAPI",
            dependencies: [http("HTTPCore"), http("HTTPFormats"), http("HTTPRetry")],
            swiftSettings: settings),
        .testTarget(
            name: "ToDoAPITests",
            dependencies: [
                "ToDoAPI", "SocketTransport", http("HTTPCore"), http("HTTPFormats"),
                http("HTTPRetry"), http("HTTPTesting"),
            ],
            exclude: ["Recordings"],
            swiftSettings: settings
        ),

        // The code of the README, and the programs for the check of linked libraries. They have no
        // argument parser.
        .executableTarget(
            name: "readme",
            dependencies: [http("HTTPClientKit")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "linked-client",
            dependencies: [http("HTTPClientKit")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "linked-curl",
            dependencies: [http("HTTPCore"), http("HTTPTransportCurl")],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
