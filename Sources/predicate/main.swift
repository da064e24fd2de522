// The executable. It only calls PredicateCommands with the arguments and streams of the process.

import Foundation
import PredicateCommands

let arguments = Array(CommandLine.arguments.dropFirst())
exit(PredicateCommand.run(arguments, input: .standard, output: .standard))
