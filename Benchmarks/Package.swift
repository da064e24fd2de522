// swift-tools-version: 6.2
// The benchmarks. They are a separate package, so that the main package needs no dependencies for them.
import PackageDescription

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-predicates", path: "..")],
    targets: [
        .executableTarget(
            name: "bench",
            dependencies: [
                .product(name: "Predicates", package: "swift-predicates"),
                .product(name: "PredicateRules", package: "swift-predicates"),
                .product(name: "PredicateFoundation", package: "swift-predicates"),
                .product(name: "PredicateSQL", package: "swift-predicates"),
                .product(name: "PredicateStores", package: "swift-predicates"),
            ],
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")])
    ],
    swiftLanguageModes: [.v6]
)
