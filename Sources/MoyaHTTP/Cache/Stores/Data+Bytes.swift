import Foundation

extension Data {
    /// Returns the bytes at these positions from the start.
    func bytes(in range: Range<Int64>) -> Data {
        subdata(in: startIndex + Int(range.lowerBound)..<startIndex + Int(range.upperBound))
    }
}
