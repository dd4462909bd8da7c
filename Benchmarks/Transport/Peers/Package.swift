// swift-tools-version: 6.2
import PackageDescription

// Separate from the other benchmarks, since AsyncHTTPClient takes minutes to build.
let package = Package(
    name: "Peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: "../ClientRun"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    ],
    targets: [
        .executableTarget(
            name: "asynchttpclient-bench",
            dependencies: [
                "ClientRun", .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ]),
        .executableTarget(name: "urlsession-bench", dependencies: ["ClientRun"]),
    ],
    swiftLanguageModes: [.v6]
)
