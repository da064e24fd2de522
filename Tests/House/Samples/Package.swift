// swift-tools-version: 6.2
// Two samples that use swift-predicates together with other libraries, and its plugin. They are a package of their own,
// because the package in the root has no dependencies:
//
//     cd Tests/House/Samples && swift test
//
// GRDB needs SQLite's headers: Debian's libsqlite3-dev.

import PackageDescription

/// Checks the predicates of a target in each build.
let lint = Target.PluginUsage.plugin(name: "PredicateLint", package: "swift-predicates")

let package = Package(
    name: "Samples",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "swift-predicates", path: "../../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without its support for swift-configuration, which takes long to compile.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    ],
    targets: [
        .target(
            name: "GRDBFilter",
            dependencies: [
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "PredicateStores", package: "swift-predicates"),
            ],
            plugins: [lint]),
        .executableTarget(
            name: "BookServer",
            dependencies: [
                "GRDBFilter",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "PredicateRules", package: "swift-predicates"),
            ],
            plugins: [lint]),
        .testTarget(
            name: "SamplesTests",
            dependencies: ["BookServer", "GRDBFilter", .product(name: "Logging", package: "swift-log")]),
    ]
)
