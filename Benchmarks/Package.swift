// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) } + [.strictMemorySafety()]

/// Joins the library's Swift package, because the benchmarks use `package` members (hashing,
/// parsing of header fields). The package's name there is that of its folder, since a path is its
/// identity.
let library = Context.packageDirectory.split(separator: "/").dropLast().last ?? ""
let joining = [
    "-package-name", String(library.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-http-session", path: ".."),
        .package(path: "Transport/ClientRun"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
    targets: [
        .executableTarget(
            name: "core-bench",
            dependencies: [
                "CReference", .product(name: "HTTPCore", package: "swift-http-session"),
                .product(name: "HTTPFormats", package: "swift-http-session"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            packageAccess: false,
            swiftSettings: settings + [.unsafeFlags(joining)]
        ),
        // The effect of retries on an overloaded origin, in virtual time.
        .executableTarget(
            name: "retry-simulation",
            dependencies: [
                .product(name: "HTTPCore", package: "swift-http-session"),
                .product(name: "HTTPRetry", package: "swift-http-session"),
            ],
            swiftSettings: settings
        ),
        // The cost of layers that have nothing to do for a request.
        .executableTarget(
            name: "layer-cost",
            dependencies: [
                "HTTPClientKit", "HTTPCore", "HTTPMiddleware", "HTTPRetry", "HTTPTesting",
                "HTTPTransportCurl", "HTTPValidation",
            ].map { .product(name: $0, package: "swift-http-session") },
            swiftSettings: settings
        ),
        // One GET of the client, for the count of the functions that it calls.
        .executableTarget(
            name: "get-path",
            dependencies: ["HTTPClientKit", "HTTPTesting"].map {
                .product(name: $0, package: "swift-http-session")
            },
            swiftSettings: settings
        ),
        // The cost of URLSessionTransport over URLSession.
        .executableTarget(
            name: "urlsession-cost",
            dependencies: ["HTTPCore", "HTTPTesting", "HTTPTransportURLSession"].map {
                .product(name: $0, package: "swift-http-session")
            },
            swiftSettings: settings
        ),
        // CurlTransport compared with raw libcurl: a client of Scripts/transport-bench.
        .executableTarget(
            name: "transport-bench",
            dependencies: [
                "ClientRun", .product(name: "HTTPCore", package: "swift-http-session"),
                .product(name: "HTTPTransportCurl", package: "swift-http-session"),
            ],
            swiftSettings: settings
        ),
        // The same work in plain C, for comparison.
        .target(name: "CReference"),
    ],
    swiftLanguageModes: [.v6]
)
