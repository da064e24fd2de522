// All commands use what PredicateCheckCommands shares with them: invocations, options, input and output. Those of this
// module are about stores.
@_exported public import PredicateCheckCommands
@_exported public import PredicateStores
