// Errors of an app's objects.

extension EvaluationFault {
    /// The fault for a key that an object could not read.
    package init(reading key: String, of object: any KeyedObject, _ error: any Error) {
        self.init(.failedRead, key, object.typeName, "\(error)")
        cause = ReadError(error, keptBy: object as? any FaultKeeper)
    }
}
