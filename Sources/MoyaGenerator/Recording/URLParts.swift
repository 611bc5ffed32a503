import Foundation

/// The parts of a recorded URL.
struct URLParts {
    var origin: String
    var path: [String]
    var query: [(name: String, value: String)]

    init?(_ text: String) {
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = components.host?.lowercased(), !host.isEmpty
        else { return nil }
        origin = "\(scheme)://\(host)" + (components.port.map { ":\($0)" } ?? "")
        path = components.percentEncodedPath.split(separator: "/").map {
            String($0).removingPercentEncoding ?? String($0)
        }
        query = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    }
}

/// Decodes the bodies that HAR files write in Base64.
enum Base64Text {
    static func decode(_ text: String) -> String? {
        guard let data = Data(base64Encoded: text) else { return nil }
        return String(data: data, encoding: .utf8)
    }
}

/// Recognizes the form of texts.
enum TextForm {
    static func isInteger(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.utf8.count <= 18 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    static func isUUID(_ text: String) -> Bool { UUID(uuidString: text) != nil }

    static func isDate(_ text: String) -> Bool {
        text.utf8.count == 10 && text.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil
    }

    static func isDateTime(_ text: String) -> Bool {
        text.utf8.count <= 40
            && text.wholeMatch(of: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})?/) != nil
    }

    static func isURL(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://")) && !text.contains("{")
            && URL(string: text)?.host != nil
    }

    /// Whether a segment of a path is the identifier of an item, and no name of a resource.
    static func isIdentifier(_ text: String) -> Bool {
        if isInteger(text) || isUUID(text) || isDate(text) || text.contains("@") { return true }
        let letters = text.count(where: \.isLetter)
        let digits = text.count(where: \.isNumber)
        let isHexadecimal = text.count >= 8 && digits > 0 && text.allSatisfy(\.isHexDigit)
        return isHexadecimal || (text.count >= 10 && digits >= 3 && letters >= 1 && !text.contains("."))
    }

    /// Whether a text can be the constant of an enumeration.
    static func isConstant(_ text: String) -> Bool {
        text.count <= 30 && text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.-]*/) != nil
    }
}
