// All commands use the types of requests and answers: texts that were read, arguments, exit codes. The
// commands that print tables, and the prompt, also use styled text and the terminal.
@_exported public import PredicateRequests
@_exported public import PredicateTerminal
