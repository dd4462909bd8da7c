// swift-tools-version: 6.2
import PackageDescription

// Bridges to other packages. Each is one file, which a program can copy: see README.md.
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

/// The bridges with their dependencies besides `HTTPClientKit`.
let bridges: [(name: String, dependencies: [Target.Dependency])] = [
    ("HTTPSwiftLog", [.product(name: "Logging", package: "swift-log")]),
    ("HTTPSwiftMetrics", [.product(name: "Metrics", package: "swift-metrics")]),
    ("HTTPSwiftTracing", [.product(name: "Tracing", package: "swift-distributed-tracing")]),
    (
        "HTTPServiceLifecycle",
        [.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")]
    ),
    ("HTTPSwiftTypes", [.product(name: "HTTPTypes", package: "swift-http-types")]),
    ("HTTPSwiftConfiguration", [.product(name: "Configuration", package: "swift-configuration")]),
    (
        "HTTPCombine",
        [
            .product(
                name: "OpenCombine", package: "OpenCombine", condition: .when(platforms: [.linux]))
        ]
    ),
]

let package = Package(
    name: "Integrations",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: bridges.map { .library(name: $0.name, targets: [$0.name]) },
    dependencies: [
        .package(name: "swift-http-session", path: ".."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    ],
    targets: bridges.map {
        .target(
            name: $0.name, dependencies: [http("HTTPClientKit")] + $0.dependencies,
            swiftSettings: settings)
    } + [
        .testTarget(
            name: "IntegrationTests",
            dependencies: bridges.map { .byName(name: $0.name) } + [
                http("HTTPClientKit"), http("HTTPTesting"), http("HTTPTransportCurl"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        )
    ],
    swiftLanguageModes: [.v6]
)
