// The executable. It only runs PredicateCommands with the arguments and streams of the process.

import PredicateCheckCommands
import PredicateCommands
import PredicateRecords

SystemFile.exit(PredicateCommand.predicate.runProcess())
