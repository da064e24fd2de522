// All requests and commands use the language, its SQL and the readers of records. The files of the modules above this one
// import only what they need besides.
@_exported public import PredicateRecords
@_exported public import PredicateRules
@_exported public import PredicateSQL
