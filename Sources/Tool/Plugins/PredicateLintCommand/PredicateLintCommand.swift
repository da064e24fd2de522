// The command plugin, `swift package predicate-lint`: `predicate-check lint` reads the Swift and Objective-C files of the
// package's targets. PredicateLint.swift does so in builds.

import Foundation
import PackagePlugin

@main struct PredicateLintCommand: CommandPlugin {
    /// - Parameter arguments: options of `lint`, and `--target NAME` for each target to check; without it, all.
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var arguments = ArgumentExtractor(arguments)
        let names = arguments.extractOption(named: "target")
        let targets = names.isEmpty ? context.package.targets : try context.package.targets(named: names)
        let folder = context.package.directoryURL.path + "/"
        let sources = targets.flatMap { $0.sourceModule?.sourceFiles.map { $0.url.path } ?? [] }
            .filter { path in [".swift", ".m", ".mm", ".h"].contains { path.lowercased().hasSuffix($0) } }
            // As a person writes them.
            .map { $0.hasPrefix(folder) ? String($0.dropFirst(folder.count)) : $0 }
        guard !sources.isEmpty else { return print("no Swift and Objective-C files") }

        let process = Process()
        process.executableURL = try context.tool(named: "predicate-check").url
        process.currentDirectoryURL = context.package.directoryURL
        process.arguments = ["lint"] + arguments.remainingArguments + ["--"] + sources.sorted()
        try process.run()
        process.waitUntilExit()
        exit(process.terminationStatus)
    }
}
