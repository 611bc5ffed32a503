@testable import MoyaHTTP

/// Returns the number of buffered bytes in all arrays of the value.
func heldBytes(_ value: Any) throws -> Int {
    try Mirror(reflecting: value).children.reduce(0) { sum, child in
        if let bytes = child.value as? [UInt8] { return sum + bytes.count }
        return sum + (child.value is LineSplitter ? try heldBytes(child.value) : 0)
    }
}
