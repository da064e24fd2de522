// Reads a property list as one value. PropertyListFramer reads one as a sequence of records.

/// Property lists, binary and XML.
package enum PropertyList {
    /// Whether the bytes begin with the signature of a binary property list.
    package static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: BinaryPropertyList.magic) }

    /// Reads a binary or XML property list. A keyed archive is returned as a plain property list, with its references
    /// unresolved. Cost: linear.
    ///
    ///     let version = try PropertyList.parse(bytes)     // ["_XCCurrentVersionName": "Model 2.xcdatamodel"]
    ///
    /// - Throws: `DocumentProblem` with the offset.
    package static func parse(_ bytes: [UInt8]) throws(DocumentProblem) -> PredicateValue {
        try bytes.withUnsafeBufferPointer { (buffer) throws(DocumentProblem) in
            isBinary(bytes) ? try BinaryPropertyList.parse(buffer) : try XMLPropertyList.parse(buffer)
        }
    }

    /// The key that marks a reference to an object of a keyed archive: a dictionary with only this key.
    static let uidKey = "CF$UID"
}
