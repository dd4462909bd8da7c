// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ClientRun",
    platforms: [.macOS(.v15)],
    products: [.library(name: "ClientRun", targets: ["ClientRun"])],
    targets: [
        .target(
            name: "ClientRun",
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .strictMemorySafety()])
    ],
    swiftLanguageModes: [.v6]
)
