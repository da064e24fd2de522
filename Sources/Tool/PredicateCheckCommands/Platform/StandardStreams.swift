// The arguments and the standard streams of the process.

extension PredicateCommand {
    /// Runs the command line of the process. An argument that is not UTF-8 is an error, because it would be changed.
    package func runProcess() -> Int32 {
        let output = CommandOutput.standard
        for index in Swift.CommandLine.arguments.indices.dropFirst() {
            guard let bytes = Swift.CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else {
                continue
            }
            let name = DisplayText.visible(Swift.CommandLine.arguments[index])
            try? output.note(
                "predicate: the argument '\(name)' is not UTF-8; if it is a file, rename it (mv), or read it as standard "
                    + "input (predicate … < FILE)")
            return ExitCode.usage.rawValue
        }
        return run(Array(Swift.CommandLine.arguments.dropFirst()), input: .standard, output: output)
    }
}

extension CommandInput {
    /// The variables of the environment that commands read.
    private static let variables = ["NO_COLOR", "TERM", "VISUAL", "EDITOR", "XDG_STATE_HOME", "HOME"]

    /// The process's standard input and environment.
    package static var standard: CommandInput {
        var input = CommandInput(
            isTerminal: SystemFile.isTerminal(0), environment: SystemFile.environment(variables), descriptor: 0
        ) {
            guard let chunk = SystemFile.bytes(0, upTo: 1 << 16) else {
                throw CommandEnd.failure(.failed, "cannot read standard input")
            }
            return chunk
        }
        input.terminal = SystemTerminal.make
        return input
    }
}

extension CommandOutput {
    /// The process's standard output and standard error.
    ///
    /// Writing to a closed pipe throws an error instead of ending the process.
    package static var standard: CommandOutput {
        SystemFile.prepareStreams()
        return CommandOutput(
            isTerminal: SystemFile.isTerminal(1), errorIsTerminal: SystemFile.isTerminal(2),
            width: SystemTerminal.columns(2) ?? 100,
            write: { try OutputFile.write($0, to: 1) }, writeError: { try OutputFile.write($0, to: 2) })
    }
}
