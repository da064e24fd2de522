// Embedded Swift does not print errors of any type. The module's objects throw none.
package import PredicateSyntax

extension EvaluationFault {
    package init(reading key: String, of object: any KeyedObject, _ error: any Error) {
        self.init(.failedRead, key, object.typeName, "")
        cause = ReadError(error, keptBy: nil)
    }
}
