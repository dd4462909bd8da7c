// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) } + [.strictMemorySafety()]

let package = Package(
    name: "swift-http-session",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "HTTPCore", targets: ["HTTPCore"]),
        .library(name: "HTTPTransportCurl", targets: ["HTTPTransportCurl"]),
        .library(name: "HTTPTransportURLSession", targets: ["HTTPTransportURLSession"]),
        .library(name: "HTTPTesting", targets: ["HTTPTesting"]),
    ],
    targets: [
        .target(name: "HTTPCore", swiftSettings: settings),  // depends on nothing

        // All C there is.
        .target(name: "CHTTPTransportCurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(
            name: "HTTPTransportCurl",
            dependencies: ["HTTPCore", "CHTTPTransportCurl"],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPTransportURLSession",
            dependencies: ["HTTPCore"],
            swiftSettings: settings
        ),
        .target(name: "HTTPTesting", dependencies: ["HTTPCore"], swiftSettings: settings),

        .testTarget(
            name: "HTTPCoreTests",
            dependencies: ["HTTPCore", "HTTPTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPTestingTests",
            dependencies: ["HTTPTesting", "HTTPCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPTransportCurlTests",
            dependencies: ["HTTPTransportCurl", "HTTPTesting", "HTTPCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPTransportURLSessionTests",
            dependencies: ["HTTPTransportURLSession", "HTTPTesting", "HTTPCore"],
            swiftSettings: settings
        ),

        // Programs that the verification tests run as processes of their own; no products.
        .target(
            name: "ProbeScenarios",
            dependencies: ["HTTPCore", "HTTPTesting"],
            path: "Tests/Probes/ProbeScenarios",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "curl-probe",
            dependencies: ["ProbeScenarios", "HTTPTransportCurl"],
            path: "Tests/Probes/curl-probe",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "urlsession-probe",
            dependencies: ["ProbeScenarios", "HTTPTransportURLSession"],
            path: "Tests/Probes/urlsession-probe",
            swiftSettings: settings
        ),
        .testTarget(
            name: "VerificationTests",
            dependencies: ["curl-probe", "urlsession-probe", "HTTPTesting", "HTTPCore"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
