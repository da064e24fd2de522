// All commands use the types of requests and answers: texts that were read, arguments, exit codes.
@_exported public import PredicateRequests
