import Crypto
import Foundation

/// The bytes that peers send and expect: 0 to 250 repeatedly.
package enum PatternBytes {
    package static func data(_ count: Int) -> Data {
        let block = Data(0..<251)
        var data = Data(capacity: count)
        while data.count < count { data.append(block.prefix(count - data.count)) }
        return data
    }

    /// The response of a peer to a body: the number of bytes and their SHA-256.
    package static func digest(_ data: Data) -> String {
        let hash = SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
        return "\(data.count) \(hash)"
    }
}
