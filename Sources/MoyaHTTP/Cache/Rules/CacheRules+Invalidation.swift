import Foundation
import HTTPTypes

// The invalidation of stored responses.
extension CacheRules {
    /// Returns the keys whose entries a response to an unsafe request invalidates (RFC 9111, section 4.4).
    static func keysInvalidated(by method: HTTPMethod, url: URL, status: Int, fields: ResponseFields) -> [CacheKey] {
        guard ![.get, .head, .options, .trace].contains(method), (200..<400).contains(status) else { return [] }
        var keys = [CacheKey(url)]
        // Most responses have neither field, and the fields are not created for them.
        guard fields.contains([.location, .contentLocation]) else { return keys }
        let headers = fields.fields
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let text = headers[text: name].map({ String(escapingInvalidUTF8: $0.bytes) }),
                let other = URL(string: text, relativeTo: url)?.absoluteURL,
                let origin = Origin(other), origin == Origin(url)
            else { continue }
            let key = CacheKey(other)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}
