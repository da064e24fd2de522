// All commands use what PredicateCheckCommands shares with them: invocations, options, input and output.
@_exported public import PredicateCheckCommands
