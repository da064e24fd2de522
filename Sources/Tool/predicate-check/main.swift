// The small executable: the commands of PredicateCheckCommands, with the arguments and streams of the process.

import PredicateCheckCommands
import PredicateRecords

SystemFile.exit(PredicateCommand.check.runProcess())
