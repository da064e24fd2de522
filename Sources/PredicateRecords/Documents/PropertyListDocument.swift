// Reads a property list as one value. PropertyListFramer reads one as a sequence of records.

public import PredicateSyntax

/// Property lists, binary and XML.
public enum PropertyList {
    /// Whether the bytes begin with the signature of a binary property list.
    public static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: BinaryPropertyList.magic) }

    /// Reads a binary or XML property list. A keyed archive is returned as the plain property list. Cost:
    /// linear.
    ///
    ///     let version = try PropertyList.parse(bytes)     // ["_XCCurrentVersionName": "Model 2.xcdatamodel"]
    ///
    /// - Throws: `DocumentProblem` with the offset.
    public static func parse(_ bytes: [UInt8]) throws(DocumentProblem) -> PredicateValue {
        try bytes.withUnsafeBufferPointer { (buffer) throws(DocumentProblem) in
            isBinary(bytes) ? try BinaryPropertyList.parse(buffer) : try XMLPropertyList.parse(buffer)
        }
    }
}
