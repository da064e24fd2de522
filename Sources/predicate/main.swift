// The executable: hands the process's arguments and streams to PredicateCommands, where everything is.

import Foundation
import PredicateCommands

let arguments = Array(CommandLine.arguments.dropFirst())
exit(PredicateCommand.run(arguments, input: .standard, output: .standard))
