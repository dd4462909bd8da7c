// swift-tools-version: 6.2
import PackageDescription

let warningsAreErrors = Context.environment["HTTP_WARNINGS_ARE_ERRORS"] != nil
let settings: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) } + [.strictMemorySafety()]
    // For CI only: a newer compiler with new warnings must not break the build for users.
    + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])

let package = Package(
    name: "swift-http-session",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "HTTPCore", targets: ["HTTPCore"]),
        .library(name: "HTTPFormats", targets: ["HTTPFormats"]),
        .library(name: "HTTPMiddleware", targets: ["HTTPMiddleware"]),
        .library(name: "HTTPCookies", targets: ["HTTPCookies"]),
        .library(name: "HTTPCaching", targets: ["HTTPCaching"]),
        .library(name: "HTTPRetry", targets: ["HTTPRetry"]),
        .library(name: "HTTPValidation", targets: ["HTTPValidation"]),
        .library(name: "HTTPCodings", targets: ["HTTPCodings"]),
        .library(name: "HTTPTransportCurl", targets: ["HTTPTransportCurl"]),
        .library(name: "HTTPTransportURLSession", targets: ["HTTPTransportURLSession"]),
        .library(name: "HTTPTesting", targets: ["HTTPTesting"]),
        .library(name: "HTTPClientKit", targets: ["HTTPClientKit"]),
    ],
    targets: [
        // Each says in one file which of the platform's modules stands behind it.
        .target(name: "PortableFoundation", swiftSettings: settings),
        .target(name: "PortableLibc", swiftSettings: settings),
        // What no program imports itself: no products.
        .target(name: "InternationalDomainNames", swiftSettings: settings),
        .target(
            name: "HTTPHashing", dependencies: ["PortableFoundation"], swiftSettings: settings
        ),
        .target(
            name: "HTTPCore",
            dependencies: ["InternationalDomainNames", "PortableFoundation", "PortableLibc"],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPFormats",
            dependencies: [
                "HTTPCore", "HTTPHashing", "InternationalDomainNames", "PortableFoundation",
                "PortableLibc",
            ],
            swiftSettings: settings
        ),
        // What layers of several targets say about credentials; no product.
        .target(name: "HTTPCredentials", dependencies: ["HTTPCore"], swiftSettings: settings),
        .target(
            name: "HTTPRetry", dependencies: ["HTTPCore", "HTTPFormats", "PortableFoundation"],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPValidation",
            dependencies: [
                "HTTPCore", "HTTPCredentials", "HTTPFormats", "HTTPRetry", "PortableFoundation",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPMiddleware",
            dependencies: [
                "HTTPCore", "HTTPCodings", "HTTPCredentials", "HTTPFormats", "HTTPHashing",
                "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPCookies",
            dependencies: [
                "HTTPCore", "HTTPCredentials", "HTTPFormats", "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPCaching",
            dependencies: [
                "HTTPCore", "HTTPCredentials", "HTTPFormats", "HTTPHashing", "PortableFoundation",
                "PortableLibc",
            ],
            swiftSettings: settings
        ),

        // All C code. Nothing is linked for the codings: see the header.
        .target(
            name: "CHTTPCodings",
            cSettings: warningsAreErrors ? [.treatAllWarnings(as: .error)] : []
        ),
        .target(
            name: "CHTTPTransportCurl",
            cSettings: warningsAreErrors ? [.treatAllWarnings(as: .error)] : [],
            linkerSettings: [.linkedLibrary("curl")]
        ),
        .target(
            name: "HTTPCodings",
            dependencies: ["HTTPCore", "CHTTPCodings", "PortableFoundation", "PortableLibc"],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPTransportCurl",
            dependencies: [
                "HTTPCore", "HTTPCodings", "HTTPHashing", "CHTTPTransportCurl",
                "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPTransportURLSession",
            dependencies: ["HTTPCore", "PortableLibc"],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPTesting",
            dependencies: [
                "HTTPCore", "HTTPCodings", "HTTPFormats", "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "HTTPClientKit",
            dependencies: [
                "HTTPCore", "HTTPFormats", "HTTPRetry", "HTTPValidation", "HTTPMiddleware",
                "HTTPCookies", "HTTPCaching", "HTTPCodings", "HTTPCredentials", "HTTPHashing",
                .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
                .target(
                    name: "HTTPTransportURLSession",
                    condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])
                ),
                "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),

        .testTarget(
            name: "InternationalDomainNamesTests",
            dependencies: ["TestSupport", "InternationalDomainNames", "HTTPCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPHashingTests",
            dependencies: ["HTTPHashing", "HTTPFormats", "PortableFoundation"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPCoreTests",
            dependencies: [
                "TestSupport", "HTTPFormats", "HTTPCore", "InternationalDomainNames",
                "HTTPTesting", "ConformanceVectors", "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPCodingsTests",
            dependencies: [
                "TestSupport", "HTTPCodings", "CHTTPCodings", "HTTPTesting", "HTTPCore",
                "PortableFoundation",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPCredentialsTests",
            dependencies: ["HTTPCredentials", "HTTPTesting", "HTTPCore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPFormatsTests",
            dependencies: [
                "TestSupport", "HTTPFormats", "HTTPCore", "HTTPTesting", "ConformanceVectors",
                "PortableFoundation",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPMiddlewareTests",
            dependencies: [
                "TestSupport",
                "HTTPMiddleware", "HTTPCodings", "HTTPFormats", "HTTPHashing", "HTTPTesting",
                "HTTPCore", "ConformanceVectors", "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPCookiesTests",
            dependencies: [
                "TestSupport", "HTTPCookies", "HTTPCredentials", "HTTPFormats", "HTTPTesting",
                "HTTPCore", "ConformanceVectors", "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPCachingTests",
            dependencies: [
                "TestSupport", "HTTPCaching", "HTTPCredentials", "HTTPTransportURLSession",
                "HTTPFormats", "HTTPHashing", "HTTPTesting", "HTTPCore", "ConformanceVectors",
                .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
                "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPRetryTests",
            dependencies: [
                "TestSupport", "HTTPRetry", "HTTPFormats", "HTTPTesting", "HTTPCore",
                "PortableFoundation",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPValidationTests",
            dependencies: [
                "TestSupport", "HTTPValidation", "HTTPRetry", "HTTPFormats", "HTTPTesting",
                "HTTPCore", "PortableFoundation",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPClientKitTests",
            dependencies: [
                "TestSupport",
                "HTTPClientKit", "HTTPCaching", "HTTPCookies", "HTTPMiddleware", "HTTPRetry",
                "HTTPValidation", "HTTPTransportURLSession", "HTTPCodings", "HTTPFormats",
                "HTTPHashing", "HTTPTesting", "HTTPCore",
                .target(name: "HTTPTransportCurl", condition: .when(platforms: [.linux])),
                "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        // The samples of other libraries, written with this package.
        .testTarget(
            name: "SourceSampleTests",
            dependencies: [
                "TestSupport", "HTTPClientKit", "HTTPFormats", "HTTPTesting", "HTTPCore",
                "PortableFoundation",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPTestingTests",
            dependencies: [
                "TestSupport", "HTTPClientKit", "HTTPFormats", "HTTPTesting", "HTTPCore",
                "PortableFoundation", "PortableLibc",
            ],
            exclude: ["Guides/Recordings"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPTransportCurlTests",
            dependencies: [
                "TestSupport",
                "HTTPTransportCurl", "CHTTPTransportCurl", "HTTPTransportURLSession",
                "HTTPMiddleware", "HTTPCookies", "HTTPCodings", "HTTPFormats", "HTTPHashing",
                "HTTPTesting", "HTTPCore", "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPTransportURLSessionTests",
            dependencies: [
                "TestSupport", "HTTPTransportURLSession", "HTTPFormats", "HTTPTesting", "HTTPCore",
            ],
            swiftSettings: settings
        ),
        // The conformance cases, over both transports.
        .testTarget(
            name: "TransportConformanceTests",
            dependencies: [
                "TestSupport",
                "HTTPTransportCurl", "HTTPTransportURLSession", "HTTPFormats", "HTTPHashing",
                "HTTPTesting", "HTTPCore",
                "ConformanceVectors", "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
        // Layers that send twice, over the transports.
        .testTarget(
            name: "PolicyTransportTests",
            dependencies: [
                "TestSupport",
                "HTTPRetry", "HTTPValidation", "HTTPMiddleware", "HTTPTransportCurl",
                "HTTPTransportURLSession", "HTTPFormats", "HTTPTesting", "HTTPCore",
                "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),

        // Helpers of several test targets; no product.
        .target(
            name: "TestSupport",
            dependencies: [
                "HTTPCore", "HTTPCodings", "HTTPTesting", "PortableFoundation", "PortableLibc",
            ],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        // Third-party vectors, and the verdict on a suite of them; no product.
        .target(
            name: "ConformanceVectors", dependencies: ["PortableFoundation", "PortableLibc"],
            path: "Tests/ConformanceVectors",
            swiftSettings: settings
        ),

        // Programs that the verification tests run as separate processes; no products.
        .target(
            name: "ProbeScenarios",
            dependencies: [
                "HTTPCore", "HTTPFormats", "HTTPTesting", "PortableFoundation", "PortableLibc",
            ],
            path: "Tests/Probes/ProbeScenarios",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "curl-probe",
            dependencies: ["ProbeScenarios", "HTTPTransportCurl", "PortableLibc"],
            path: "Tests/Probes/curl-probe",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "urlsession-probe",
            dependencies: ["ProbeScenarios", "HTTPTransportURLSession", "HTTPCore"],
            path: "Tests/Probes/urlsession-probe",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "download-probe",
            dependencies: ["ProbeScenarios", "HTTPClientKit", "PortableLibc"],
            path: "Tests/Probes/download-probe",
            swiftSettings: settings
        ),
        // The tasks of `Scripts/real-servers`.
        .executableTarget(
            name: "servers-probe",
            dependencies: [
                "HTTPClientKit", "HTTPTransportCurl", "HTTPFormats", "HTTPRetry", "HTTPMiddleware",
                "HTTPValidation", "HTTPCaching", "HTTPCore", "PortableFoundation", "PortableLibc",
            ],
            path: "Tests/Probes/servers-probe",
            swiftSettings: settings
        ),
        // The cache for programs in other languages: the original engine of the cache tests.
        .executableTarget(
            name: "cache-client",
            dependencies: [
                "HTTPCaching", "HTTPTransportCurl", "HTTPCore", "PortableFoundation",
                "PortableLibc",
            ],
            path: "Tests/Probes/cache-client",
            exclude: ["README.md", "engine-fetch.mjs", "engine-run.mjs"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "cache-probe",
            dependencies: ["HTTPCaching", "HTTPCore", "PortableFoundation", "PortableLibc"],
            path: "Tests/Probes/cache-probe",
            swiftSettings: settings
        ),
        .testTarget(
            name: "VerificationTests",
            dependencies: [
                "TestSupport",
                "curl-probe", "urlsession-probe", "download-probe", "cache-probe", "HTTPTesting",
                "HTTPCore", "PortableFoundation", "PortableLibc",
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// CI leaves test targets out of builds with sanitizers, which would take too long with all of them.
if let names = Context.environment["HTTP_TESTS_LEFT_OUT"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && names.contains($0.name) }
}
