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
        .library(name: "HTTPMiddleware", targets: ["HTTPMiddleware"]),
        .library(name: "HTTPRetry", targets: ["HTTPRetry"]),
        .library(name: "HTTPValidation", targets: ["HTTPValidation"]),
        .library(name: "HTTPTransportCurl", targets: ["HTTPTransportCurl"]),
        .library(name: "HTTPTransportURLSession", targets: ["HTTPTransportURLSession"]),
        .library(name: "HTTPTesting", targets: ["HTTPTesting"]),
        .library(name: "HTTPClientKit", targets: ["HTTPClientKit"]),
    ],
    targets: [
        .target(name: "HTTPCore", swiftSettings: settings),  // depends on nothing
        .target(name: "HTTPRetry", dependencies: ["HTTPCore"], swiftSettings: settings),
        .target(
            name: "HTTPValidation",
            dependencies: ["HTTPCore", "HTTPRetry"],
            swiftSettings: settings
        ),
        .target(name: "HTTPMiddleware", dependencies: ["HTTPCore"], swiftSettings: settings),

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
        .target(
            name: "HTTPClientKit",
            dependencies: [
                "HTTPCore", "HTTPRetry", "HTTPValidation", "HTTPMiddleware",
                .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
                .target(
                    name: "HTTPTransportURLSession",
                    condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])
                ),
            ],
            swiftSettings: settings
        ),

        .testTarget(
            name: "HTTPCoreTests",
            dependencies: ["HTTPCore", "HTTPTesting", "ConformanceVectors"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPMiddlewareTests",
            dependencies: ["HTTPMiddleware", "HTTPTesting", "HTTPCore", "ConformanceVectors"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPRetryTests",
            dependencies: ["HTTPRetry", "HTTPTesting", "HTTPCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPValidationTests",
            dependencies: ["HTTPValidation", "HTTPRetry", "HTTPTesting", "HTTPCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPClientKitTests",
            dependencies: [
                "HTTPClientKit", "HTTPTransportURLSession", "HTTPTesting", "HTTPCore",
                .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPTestingTests",
            dependencies: ["HTTPTesting", "HTTPCore"],
            exclude: ["Recordings"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPTransportCurlTests",
            dependencies: [
                "HTTPTransportCurl", "CHTTPTransportCurl", "HTTPTesting", "HTTPCore",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPTransportURLSessionTests",
            dependencies: ["HTTPTransportURLSession", "HTTPTesting", "HTTPCore"],
            swiftSettings: settings
        ),
        // What a transport owes its callers, case by case, over both transports.
        .testTarget(
            name: "TransportConformanceTests",
            dependencies: [
                "HTTPTransportCurl", "HTTPTransportURLSession", "HTTPTesting", "HTTPCore",
                "ConformanceVectors",
            ],
            swiftSettings: settings
        ),
        // What sends twice, over the transports.
        .testTarget(
            name: "PolicyTransportTests",
            dependencies: [
                "HTTPRetry", "HTTPValidation", "HTTPMiddleware", "HTTPTransportCurl",
                "HTTPTransportURLSession", "HTTPTesting", "HTTPCore",
            ],
            swiftSettings: settings
        ),

        // Third-party vectors, and the verdict on a suite of them; no product.
        .target(
            name: "ConformanceVectors",
            path: "Tests/ConformanceVectors",
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
        .executableTarget(
            name: "download-probe",
            dependencies: ["ProbeScenarios", "HTTPClientKit"],
            path: "Tests/Probes/download-probe",
            swiftSettings: settings
        ),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "curl-probe", "urlsession-probe", "download-probe", "HTTPTesting", "HTTPCore",
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
