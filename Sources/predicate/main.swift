// The executable. It only runs PredicateCommands with the arguments and streams of the process.

import Foundation
import PredicateCommands

exit(PredicateCommand.runProcess())
