// swift-tools-version: 6.3
// Each target imports only targets above it in this list. The package has no dependencies.
import PackageDescription

/// Warnings are errors in CI, never in apps that use the package.
let warnings: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

let strict: [SwiftSetting] =
    warnings + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

/// Tests use #Predicate and task executors, which are newer than the versions of Apple's systems below.
let newest: SwiftSetting = .unsafeFlags(["-Xfrontend", "-disable-availability-checking"], .when(platforms: [.macOS]))

/// Tests are built without optimisation, also in release builds: most of their time is spent in the libraries and the
/// engines. A debug build compiles each test target as a whole, which takes less time than in batches. CI passes these
/// options itself, for all targets.
let tests: [SwiftSetting] = {
    var settings = strict + [newest, .unsafeFlags(["-Onone"], .when(configuration: .release))]
    if Context.environment["CI"] == nil {
        let whole = [
            "-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "1", "-disable-batch-mode",
        ]
        settings.append(.unsafeFlags(whole, .when(configuration: .debug)))
    }
    return settings
}()

/// Folders of tests that are compiled only where PREDICATE_TESTS names a depth, as CI does, so that `swift test` by itself
/// takes a quarter less time. CONTRIBUTING.md says what they test.
let isDeep = Context.environment["PREDICATE_TESTS"] != nil
func ofCI(_ folders: String...) -> [String] { isDeep ? [] : folders }

/// Tests of NSPredicate objects with objects of Swift, which Apple's classes do not read.
#if os(macOS)
    let offApple = (folders: ["OffApple"], documents: ["Documents/MigrationTables.swift"])
#else
    let offApple: (folders: [String], documents: [String]) = ([], [])
#endif

let package = Package(
    name: "swift-predicates",
    // Duration needs these versions. `.ci/platforms/check` compiles the sources for them, on Linux.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        // Filters in memory. Most apps import this product.
        .library(name: "Predicates", targets: ["Predicates"]),
        // NSPredicate on every platform, and conversion of #Predicate to text and back.
        .library(name: "PredicateFoundation", targets: ["PredicateFoundation", "PredicateCompatibility"]),
        // Why a predicate matches, simpler predicates, and sets of many predicates.
        .library(name: "PredicateRules", targets: ["PredicateRules"]),
        // Filters that people build from rows: a model for screens, saved as JSON, in words.
        .library(name: "PredicateEditor", targets: ["PredicateEditor"]),
        // The syntax tree and the parser, for tools.
        .library(name: "PredicateSyntax", targets: ["PredicateSyntax"]),
        // Predicates as SQL.
        .library(name: "PredicateSQL", targets: ["PredicateSQL"]),
        .library(name: "PredicateStores", targets: ["PredicateStores"]),
        .executable(name: "predicate", targets: ["predicate"]),
        // The commands without stores and the prompt: a small program for hooks and CI. See .ci/release.
        .executable(name: "predicate-check", targets: ["predicate-check"]),
    ],
    traits: [
        .trait(
            name: "Foundation",
            description: "Foundation's values, and its ICU and locales for look-around in MATCHES and for [l]."),
        .default(enabledTraits: ["Foundation"]),
    ],
    targets: [
        // The C interface of database drivers. It has no code.
        .target(name: "CArrow", path: "Sources/C/CArrow"),
        // Atomic operations. It has no code but inline functions.
        .target(name: "CAtomics", path: "Sources/C/CAtomics"),
        // The system's functions for extended attributes, which Swift's modules of C libraries leave out.
        .target(name: "CFileAttributes", path: "Sources/C/CFileAttributes"),
        .target(name: "PredicateSyntax", path: "Sources/Language/PredicateSyntax", swiftSettings: strict),
        .target(
            name: "PredicateModel", dependencies: ["PredicateSyntax"],
            path: "Sources/Language/PredicateModel",
            exclude: ["Text/generate-unicode-tables.py", "Text/UNICODE-LICENSE.txt"], swiftSettings: strict),
        .target(
            name: "PredicateEvaluation", dependencies: ["CAtomics", "PredicateSyntax", "PredicateModel"],
            path: "Sources/Language/PredicateEvaluation", swiftSettings: strict),
        .target(
            name: "PredicateRules", dependencies: ["PredicateSyntax", "PredicateModel", "PredicateEvaluation"],
            path: "Sources/Language/PredicateRules", swiftSettings: strict),
        .target(
            name: "PredicateEditor", dependencies: ["PredicateSyntax", "PredicateModel", "PredicateEvaluation"],
            path: "Sources/Language/PredicateEditor", swiftSettings: strict),
        .target(
            name: "PredicateSQL", dependencies: ["PredicateSyntax", "PredicateModel"],
            path: "Sources/Database/PredicateSQL", swiftSettings: strict),
        .target(
            name: "PredicateRecords", dependencies: ["PredicateSyntax", "PredicateModel", "PredicateEvaluation"],
            path: "Sources/Records/PredicateRecords", swiftSettings: strict),
        .target(
            name: "PredicateStores",
            dependencies: [
                "CArrow", "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRules",
                "PredicateSQL", "PredicateRecords",
            ],
            path: "Sources/Database/PredicateStores", swiftSettings: strict),
        .target(
            name: "Predicates", dependencies: ["PredicateSyntax", "PredicateModel", "PredicateEvaluation"],
            path: "Sources/Language/Predicates", swiftSettings: strict),
        .target(
            name: "PredicateFoundation",
            dependencies: ["PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRecords"],
            path: "Sources/Foundation/PredicateFoundation", swiftSettings: strict),
        // Requests in JSON and their answers: a predicate is read, checked, evaluated or translated.
        .target(
            name: "PredicateRequests",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRules", "PredicateSQL",
                "PredicateRecords",
            ],
            path: "Sources/Tool/PredicateRequests",
            exclude: ["Profiles/generate-ddm-profile.py"], resources: [.embedInCode("Profiles/Data")],
            swiftSettings: strict),
        // Imported in place of Foundation: the names of NSPredicate's classes.
        .target(
            name: "PredicateCompatibility", dependencies: ["PredicateFoundation"],
            path: "Sources/Foundation/PredicateCompatibility", swiftSettings: strict),
        .target(
            name: "PredicateTerminal", dependencies: ["PredicateSyntax"],
            path: "Sources/Tool/PredicateTerminal", swiftSettings: strict),
        // What all commands share, and those that need no store. Without Foundation.
        .target(
            name: "PredicateCheckCommands",
            dependencies: [
                "CFileAttributes", "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRules",
                "PredicateSQL", "PredicateRecords", "PredicateRequests", "PredicateTerminal",
            ],
            path: "Sources/Tool/PredicateCheckCommands",
            resources: [.embedInCode("Examples")], swiftSettings: strict),
        .target(
            name: "PredicateCommands",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateEditor", "PredicateRules",
                "PredicateSQL", "PredicateStores", "PredicateRecords", "PredicateRequests", "PredicateTerminal",
                "PredicateCheckCommands",
            ],
            path: "Sources/Tool/PredicateCommands", swiftSettings: strict),
        .executableTarget(
            name: "predicate", dependencies: ["PredicateRecords", "PredicateCheckCommands", "PredicateCommands"],
            path: "Sources/Tool/predicate", swiftSettings: strict),
        .executableTarget(
            name: "predicate-check", dependencies: ["PredicateRecords", "PredicateCheckCommands"],
            path: "Sources/Tool/predicate-check", swiftSettings: strict),
        // Shared by the tests of all targets: their depth, their random numbers, invariants of every text.
        .target(
            name: "PredicateTestSupport", dependencies: ["PredicateSyntax", "PredicateModel"],
            path: "Tests/Support/PredicateTestSupport", swiftSettings: strict + [newest]),
        // The golden cases, and a program that runs them in a build without Foundation.
        .target(
            name: "GoldenCases",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRules", "PredicateSQL",
                "PredicateStores", "PredicateRecords",
            ],
            path: "Tests/Golden/GoldenCases", swiftSettings: strict),
        .executableTarget(
            name: "golden-client", dependencies: ["GoldenCases", "PredicateSQL"],
            path: "Tests/Golden/GoldenClient", swiftSettings: strict),
        // Types with the names of framework types, for a client that also imports this package.
        .target(name: "AppFrameworkNames", path: "Tests/House/AppFrameworkNames", swiftSettings: strict),
        .testTarget(
            name: "PredicateSyntaxTests", dependencies: ["PredicateSyntax", "PredicateTestSupport"],
            path: "Tests/Language/PredicateSyntaxTests", swiftSettings: tests),
        .testTarget(
            name: "PredicateModelTests",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRules", "PredicateSQL",
                "PredicateTestSupport",
            ],
            path: "Tests/Language/PredicateModelTests", exclude: ofCI("Exhaustive"), swiftSettings: tests),
        .testTarget(
            name: "PredicateEvaluationTests",
            dependencies: [
                "Predicates", "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateSQL",
                "PredicateTestSupport",
            ],
            path: "Tests/Language/PredicateEvaluationTests", exclude: ofCI("Plans"), swiftSettings: tests),
        .testTarget(
            name: "PredicateRulesTests", dependencies: ["PredicateRules", "PredicateTestSupport"],
            path: "Tests/Language/PredicateRulesTests", exclude: ofCI("Random"), swiftSettings: tests),
        .testTarget(
            name: "PredicateEditorTests",
            dependencies: ["PredicateEditor", "PredicateSQL", "PredicateRecords", "PredicateTestSupport"],
            path: "Tests/Language/PredicateEditorTests", swiftSettings: tests),
        .testTarget(
            name: "PredicateSQLTests",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateSQL", "PredicateStores",
                "PredicateRecords", "PredicateTestSupport",
            ],
            path: "Tests/Database/PredicateSQLTests", exclude: ofCI("Engines/Constructs", "Patterns"),
            swiftSettings: tests),
        .testTarget(
            name: "PredicateStoresTests",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateSQL", "PredicateStores",
                "PredicateTestSupport",
            ],
            path: "Tests/Database/PredicateStoresTests",
            exclude: ofCI("Columns", "Faults", "Migration", "Random", "Services"),
            swiftSettings: tests),
        .testTarget(
            name: "PredicateMatrixTests",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateSQL", "PredicateStores",
                "PredicateTestSupport",
            ],
            path: "Tests/Database/PredicateMatrixTests", swiftSettings: tests),
        .testTarget(
            name: "PredicateRecordsTests",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRecords", "PredicateTestSupport",
            ],
            path: "Tests/Records/PredicateRecordsTests", swiftSettings: tests),
        .testTarget(
            name: "PredicateRequestsTests",
            dependencies: ["PredicateSyntax", "PredicateEvaluation", "PredicateRecords", "PredicateRequests"],
            path: "Tests/Tool/PredicateRequestsTests", swiftSettings: tests),
        .testTarget(
            name: "PredicateFoundationTests",
            dependencies: ["PredicateFoundation", "PredicateCompatibility", "PredicateTestSupport"],
            path: "Tests/Foundation/PredicateFoundationTests",
            exclude: offApple.folders + ofCI("OffApple/Corpus", "Random"), swiftSettings: tests),
        // Files of apps, unchanged except for the import.
        .testTarget(
            name: "MigratedSampleTests", dependencies: ["PredicateFoundation", "PredicateCompatibility"],
            path: "Tests/Foundation/MigratedSample",
            // Foundation deprecates NSExpression and predicateFormat on other platforms than Apple's. Apps still use
            // them.
            swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]),
        .testTarget(
            name: "PredicateTerminalTests", dependencies: ["PredicateTerminal", "PredicateTestSupport"],
            path: "Tests/Tool/PredicateTerminalTests", swiftSettings: tests),
        .testTarget(
            name: "PredicateCommandsTests",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateStores", "PredicateRecords", "PredicateRequests",
                "PredicateTerminal", "PredicateCheckCommands", "PredicateCommands", "PredicateTestSupport",
            ],
            path: "Tests/Tool/PredicateCommandsTests", exclude: ofCI("Faults"), swiftSettings: tests),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "Predicates", "PredicateFoundation", "PredicateCompatibility", "PredicateSyntax", "PredicateModel",
                "PredicateEvaluation", "PredicateEditor", "PredicateRules", "PredicateSQL", "PredicateStores",
                "PredicateRecords", "PredicateTerminal", "PredicateCheckCommands", "PredicateCommands",
                "PredicateTestSupport", "AppFrameworkNames", "GoldenCases",
            ],
            path: "Tests/House/ConformanceTests",
            exclude: ofCI("Clients/NewCode", "Documents", "Golden/Plans", "Grammar", "Lint", "Robustness", "Tidy")
                + (isDeep ? offApple.documents : []),
            swiftSettings: tests),
    ],
    swiftLanguageModes: [.v6]
)

#if os(macOS)
    package.targets.removeAll { $0.name == "MigratedSampleTests" }
#endif
if !isDeep { package.targets.removeAll { ["MigratedSampleTests", "PredicateMatrixTests"].contains($0.name) } }

// Mistakes in the predicates of a target, shown by each build, or by `swift package predicate-lint`. They are for other
// packages. For plugins, SwiftPM compiles a program and its modules once more, so a build of the package itself, in its own
// folder, leaves them out; PREDICATE_PLUGINS=1 keeps them.
if Context.environment["PWD"] != Context.packageDirectory || Context.environment["PREDICATE_PLUGINS"] != nil {
    package.products += [
        .plugin(name: "PredicateLint", targets: ["PredicateLint"]),
        .plugin(name: "PredicateLintCommand", targets: ["PredicateLintCommand"]),
    ]
    package.targets += [
        .plugin(
            name: "PredicateLint", capability: .buildTool(), dependencies: ["predicate-check"],
            path: "Sources/Tool/Plugins/PredicateLint"),
        .plugin(
            name: "PredicateLintCommand",
            capability: .command(
                intent: .custom(verb: "predicate-lint", description: "Finds and checks the predicates in source files.")
            ),
            dependencies: ["predicate-check"], path: "Sources/Tool/Plugins/PredicateLintCommand"),
    ]
}

// The benchmarks, which Benchmarks/README.md describes. They use declarations of the package, and CI builds them together
// with the tests.
if Context.environment["PREDICATE_BENCHMARKS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "bench",
            dependencies: [
                "Predicates", "PredicateRules", "PredicateFoundation", "PredicateSQL", "PredicateStores",
                "PredicateRequests", "PredicateRecords", "PredicateCheckCommands",
            ],
            path: "Benchmarks/Sources/bench",
            swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")])
    )
    // The names of NSPredicate, in a program that imports PredicateCompatibility in place of Foundation.
    package.targets.append(
        .executableTarget(
            name: "dropin", dependencies: ["PredicateCompatibility", "PredicateEvaluation"],
            path: "Benchmarks/Sources/dropin", swiftSettings: [.swiftLanguageMode(.v5)]))
}

// The release build of CI leaves out the tests to which depth adds little. CI runs them in its debug build.
if Context.environment["PREDICATE_DEEP_TESTS"] == "only" {
    let quick = [
        "PredicateSyntaxTests", "PredicateTerminalTests", "PredicateRequestsTests", "PredicateCommandsTests",
        "MigratedSampleTests",
    ]
    package.targets.removeAll { quick.contains($0.name) }
}

// The fuzzing program is linked with libFuzzer, so only Tests/House/Fuzz/run builds it. libFuzzer reads all counters of a
// program after each input: a program for the target `language` alone, without the modules that it does not use, is
// quicker.
if let program = Context.environment["PREDICATE_FUZZ"] {
    let isLanguage = program == "language"
    let modules: [Target.Dependency] = [
        "PredicateRules", "PredicateStores", "PredicateRecords", "PredicateFoundation", "PredicateTerminal",
        "PredicateCheckCommands", "PredicateCommands",
    ]
    let files = ["Command", "Pattern", "Record", "Schema", "Store"].map { "\($0)Fuzzing.swift" } + ["Soak.swift"]
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateSQL", "PredicateTestSupport",
            ] + (isLanguage ? [] : modules),
            path: "Tests/House/Fuzz/Sources", exclude: isLanguage ? files : [],
            swiftSettings: strict + (isLanguage ? [.define("LANGUAGE_ONLY")] : [])))
}
