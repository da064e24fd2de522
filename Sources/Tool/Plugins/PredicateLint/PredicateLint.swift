// The build tool plugin: `predicate-check lint` reads the Swift and Objective-C files of a target in a build if one of them
// has changed, or the configuration `.predicate.json`, or a file that it names. PredicateLintCommand.swift is the command.

import Foundation
import PackagePlugin

@main struct PredicateLint: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        // Files that other plugins write are not among these.
        let files = target.sourceModule?.sourceFiles.map { $0.url } ?? []
        let tool = try context.tool(named: "predicate-check").url
        return commands(files, of: target.name, tool: tool, folder: context.pluginWorkDirectoryURL)
    }

    /// A command for each hundred files: systems limit the length of arguments, Windows to 32,767 characters.
    private func commands(_ files: [URL], of target: String, tool: URL, folder: URL) -> [Command] {
        let sources = files.filter { ["swift", "m", "mm", "h"].contains($0.pathExtension.lowercased()) }
            .sorted { $0.path < $1.path }
        let others = configurationFiles(of: sources)
        let language = sources.contains { $0.pathExtension == "swift" } ? "swift" : "m"
        return stride(from: 0, to: sources.count, by: 100).map { start in
            let part = Array(sources[start..<min(start + 100, sources.count)])
            // The tool writes a comment into it unless the build fails, and runs again if an input is newer. It is a source:
            // SwiftPM copies other files into the product. SwiftPM runs no command for targets without Swift; Xcode does.
            let stamp = folder.appendingPathComponent("PredicateLint\(start).\(language)")
            return .buildCommand(
                displayName: "Checking the predicates of \(target)", executable: tool,
                arguments: ["lint", "--output", "compiler", "--stamp", stamp.path] + part.map { $0.path },
                inputFiles: part + others, outputFiles: [stamp])
        }
    }

    /// The nearest configurations above files, and the schemas, models, profiles and baselines that they name.
    private func configurationFiles(of sources: [URL]) -> [URL] {
        var folders: Set<String> = []
        var found: [URL] = []
        for source in sources {
            var folder = source.deletingLastPathComponent()
            while folders.insert(folder.path).inserted {
                let configuration = folder.appendingPathComponent(".predicate.json")
                if let data = try? Data(contentsOf: configuration) {
                    let named = Self.names(try? JSONSerialization.jsonObject(with: data))
                        .map { URL(fileURLWithPath: $0, relativeTo: folder).absoluteURL }
                        // A data model is a folder.
                        .flatMap { url in
                            let files = FileManager.default.subpaths(atPath: url.path) ?? []
                            return [url] + files.map { url.appendingPathComponent($0) }
                        }
                    found += [configuration] + named.filter { FileManager.default.fileExists(atPath: $0.path) }
                    break
                }
                let parent = folder.deletingLastPathComponent()
                if parent.path.count < folder.path.count { folder = parent }
            }
        }
        return found
    }

    /// The names of files in a configuration, also in those of its `paths`.
    private static func names(_ json: Any?) -> [String] {
        let fields = json as? [String: Any] ?? [:]
        let paths = fields["paths"] as? [String: Any] ?? [:]
        return ["schema", "profile", "baseline"].compactMap { fields[$0] as? String } + paths.values.flatMap(names)
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension PredicateLint: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            let (files, tool) = (target.inputFiles.map { $0.url }, try context.tool(named: "predicate-check").url)
            return commands(files, of: target.displayName, tool: tool, folder: context.pluginWorkDirectoryURL)
        }
    }
#endif
