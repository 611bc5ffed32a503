import Foundation

/// Writes values into paths and headers.
enum PathValue {
    /// Returns the text of a value.
    static func text(_ value: some Encodable) -> String {
        if let value = value as? any RawRepresentable { return "\(value.rawValue)" }
        if let value = value as? Date { return value.formatted(.iso8601) }
        guard let json = try? JSONEncoder().encode(value) else { return "\(value)" }
        return (try? JSONDecoder().decode(String.self, from: json)) ?? "\(value)"
    }

    /// Returns the text of a value, in which all characters are escaped that could end its segment.
    static func escape(_ value: some Encodable) -> String {
        let allowed = CharacterSet(charactersIn: "-._~!$&'()*+,;=:@").union(.alphanumerics)
        return text(value).addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }
}
