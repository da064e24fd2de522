// The option `--profile NAME`: a built-in profile or a file.

extension Invocation {
    /// The profile of the command line, or nil. Prints the errors of a profile and throws.
    func profile() throws -> Profile? {
        guard let name = self[.profile] else { return nil }
        do {
            if let known = try ProfileLibrary.profile(named: name) { return known }
            guard name.hasSuffix(".json") || name.contains("/") else {
                throw CommandEnd.unknown(
                    "unknown profile", name, among: ProfileLibrary.names,
                    else: "the profiles are \(ProfileLibrary.names.joined(separator: ", ")); or give a file")
            }
            let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
            var unread: (any Error)?
            let bytes = try input.bytes(name)
            do throws(ProfileFailure) {
                return try ProfileLibrary.read(bytes, name: name, file: name, depth: 0) { parent in
                    guard parent.hasSuffix(".json") else { return nil }
                    do {
                        return try input.ofRegularFiles.bytes(parent.hasPrefix("/") ? parent : folder + parent)
                    } catch {
                        unread = error
                        return nil
                    }
                }
            } catch {
                throw unread ?? error
            }
        } catch ProfileFailure.fields(let errors) {
            throw try end(errors)
        } catch let problem as ProfileFailure {
            throw CommandEnd.failure(.usage, problem.lines.joined())
        }
    }
}
