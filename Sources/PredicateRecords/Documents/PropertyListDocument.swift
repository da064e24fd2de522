// A property list as one document: the door for who wants its values rather than records.

public import PredicateSyntax

/// Property lists, binary and XML.
public enum PropertyList {
    /// Whether bytes begin as a binary property list does.
    public static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: BinaryPropertyList.magic) }

    /// Reads a property list of either form; a keyed archive stays the list that it is.
    ///
    ///     let version = try PropertyList.parse(bytes)     // ["_XCCurrentVersionName": "Model 2.xcdatamodel"]
    ///
    /// - Throws: `DocumentProblem` with the place. Cost: linear.
    public static func parse(_ bytes: [UInt8]) throws(DocumentProblem) -> Value {
        let result = bytes.withUnsafeBufferPointer { buffer in
            do throws(TextFault) {
                return Result<Value, DocumentProblem>.success(
                    isBinary(bytes) ? try BinaryPropertyList.parse(buffer) : try XMLPropertyList.parse(buffer))
            } catch {
                return .failure(DocumentProblem(offset: error.offset, message: error.message))
            }
        }
        return try result.get()
    }
}
