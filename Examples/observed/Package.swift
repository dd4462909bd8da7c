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
func bridge(_ product: String) -> Target.Dependency {
    .product(name: product, package: "Integrations")
}
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle", package: "swift-service-lifecycle")

let package = Package(
    name: "observed",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-http-session", path: "../.."),
        .package(name: "Integrations", path: "../../Integrations"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        // A daemon with log, metrics, traces and lifecycle: Docs/Guides/Observability.md.
        .executableTarget(
            name: "observed",
            dependencies: [
                argumentParser, lifecycle, logging,
                http("HTTPClientKit"), http("HTTPTransportCurl"), http("HTTPTesting"),
                bridge("HTTPSwiftLog"), bridge("HTTPSwiftMetrics"), bridge("HTTPSwiftTracing"),
                bridge("HTTPServiceLifecycle"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ObservedTests",
            dependencies: ["observed", http("HTTPTesting")],
            swiftSettings: settings
        ),

        // A page that shows the calls of a client while they run: Docs/Guides/Dashboard.md.
        .target(
            name: "DashboardModel",
            dependencies: [http("HTTPClientKit"), http("HTTPTransportCurl")],
            swiftSettings: settings),
        .executableTarget(
            name: "dashboard",
            dependencies: [
                "DashboardModel", argumentParser, lifecycle, logging,
                http("HTTPClientKit"), http("HTTPTransportCurl"), http("HTTPTesting"),
                bridge("HTTPServiceLifecycle"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("Page.html")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DashboardTests",
            dependencies: [
                "dashboard", "DashboardModel", http("HTTPClientKit"), http("HTTPTransportCurl"),
                http("HTTPTesting"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
