// swift-tools-version: 6.2
import PackageDescription

// The shared state of a fleet on Redis or Valkey, by way of hiredis (Debian: libhiredis-dev).
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

let package = Package(
    name: "Redis",
    platforms: [.macOS(.v15)],
    products: [.library(name: "HTTPRedis", targets: ["HTTPRedis"])],
    dependencies: [.package(name: "swift-http-session", path: "../..")],
    targets: [
        .systemLibrary(
            name: "CHiredis", pkgConfig: "hiredis",
            providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
        .target(
            name: "HTTPRedis",
            dependencies: ["CHiredis", http("HTTPMiddleware"), http("HTTPCaching")],
            swiftSettings: settings),
        // Starts servers for the tests and the proof.
        .target(name: "RedisServers", swiftSettings: settings),
        .executableTarget(
            name: "fleet-proof",
            dependencies: [
                "HTTPRedis", "RedisServers", http("HTTPClientKit"), http("HTTPTesting"),
                http("HTTPTransportCurl"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "HTTPRedisTests",
            dependencies: [
                "HTTPRedis", "RedisServers", http("HTTPClientKit"), http("HTTPTesting"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
