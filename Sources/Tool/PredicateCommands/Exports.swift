// All commands use what PredicateCheckCommands shares with them: invocations, options, input and output. The
// commands of this module read and write databases, so they also use stores.
@_exported public import PredicateCheckCommands
@_exported public import PredicateStores
