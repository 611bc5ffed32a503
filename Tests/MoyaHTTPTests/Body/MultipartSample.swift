import Foundation
import MoyaHTTP
import TestSupport

/// A random multipart body, and the parts that a receiver should find in it.
struct MultipartSample {
    struct Part: Codable {
        /// The names as they are sent, between the quotes.
        var name: String
        var fileName: String?
        var mimeType: String?
        var content: Data

        var headers: [String] {
            let file = fileName.map { "; filename=\"\($0)\"" } ?? ""
            return ["Content-Disposition: form-data; name=\"\(name)\"\(file)"]
                + (mimeType.map { ["Content-Type: \($0)"] } ?? [])
        }
    }

    /// The description that is written beside the body, for readers in other languages.
    struct Description: Codable {
        var contentType: String
        var parts: [Part]
    }

    /// Keeps the files that the body refers to.
    final class Form: RequestMultipartFormData {
        var files: [TemporaryFile] = []
    }

    let form: Form
    var parts: [Part] = []
    /// Whether the boundary may occur in the contents without the leading dashes, which not all readers support.
    private let namesBoundary: Bool

    var description: Description { Description(contentType: form.contentType, parts: parts) }

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        form = Form(
            boundary: Bool.random(using: &random) ? nil : Self.randomBoundary(using: &random)
        )
        namesBoundary = Int.random(in: 0...3, using: &random) == 0
        for _ in 0..<Int.random(in: 1...6, using: &random) { try addPart(using: &random) }
    }

    private mutating func addPart(using random: inout SeededGenerator) throws {
        let content = content(using: &random)
        let (name, escapedName) = Self.name(using: &random)
        let (fileName, escapedFileName) = Self.name(using: &random)
        let type = ["text/plain", "application/octet-stream", "image/png"].randomElement(using: &random) ?? ""
        var part = Part(name: escapedName, fileName: escapedFileName, mimeType: type, content: content)
        switch Int.random(in: 0...4, using: &random) {
        case 0:
            form.append(content, withName: name)
            (part.fileName, part.mimeType) = (nil, nil)
        case 1:
            form.append(content, withName: name, fileName: fileName, mimeType: type)
        case 2:
            let file = try TemporaryFile(content)
            form.files.append(file)
            form.append(file.url, withName: name, fileName: fileName, mimeType: type)
        case 3:
            let file = try TemporaryFile(content, name: "own name.json")
            form.files.append(file)
            form.append(file.url, withName: name)
            (part.fileName, part.mimeType) = ("own name.json", "application/json")
        default:
            // An async sequence cannot be encoded without waiting.
            form.append(.data(content), withName: name, fileName: fileName, mimeType: nil)
            part.mimeType = nil
        }
        parts.append(part)
    }

    /// The characters that RFC 2046, section 5.1.1, allows.
    private static func randomBoundary(using random: inout SeededGenerator) -> String {
        let simple = Array("abcXYZ019-_'")
        let all = simple + Array("()+,./:=? ")
        let characters = Bool.random(using: &random) ? simple : all
        let middle = (0..<Int.random(in: 0...69, using: &random)).map { _ in
            characters.randomElement(using: &random) ?? "a"
        }
        return String(middle) + "Z"
    }

    /// A name, and its form in the header (WHATWG, multipart/form-data encoding algorithm).
    private static func name(using random: inout SeededGenerator) -> (String, escaped: String) {
        let fragments = [
            ("a", "a"), ("Zz9", "Zz9"), ("\"", "%22"), ("\r", "%0D"), ("\n", "%0A"), ("\r\n", "%0D%0A"), ("ä", "ä"),
            ("文件", "文件"), ("🎈", "🎈"), (";", ";"), ("=", "="), ("%", "%"), (" ", " "), ("'", "'"), ("[0]", "[0]"),
            ("--", "--"), (": ", ": "), (".txt", ".txt"),
        ]
        var name = ("n", "n")
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let fragment = fragments.randomElement(using: &random) ?? ("", "")
            name.0 += fragment.0
            name.1 += fragment.1
        }
        return (name.0 + "e", name.1 + "e")
    }

    /// Bytes that resemble a delimiter without being one.
    private func content(using random: inout SeededGenerator) -> Data {
        let boundary = form.boundary
        let almost = String(boundary.dropLast())
        let fragments = [
            "\r\n", "\r", "\n", "--", "\r\n--", "\r\n-", "\r\n--\(almost)", "--\(almost)\r\n",
            namesBoundary ? "\r\n-\(boundary)" : "",
            "\n--\(almost)", boundary.lowercased() == boundary ? "" : "\r\n--\(boundary.lowercased())", " ", "\0",
            "\r\n\r\n",
            "Content-Disposition: form-data; name=\"x\"\r\n\r\n", "text", "\r\r\n",
        ]
        var content = Data()
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            if Int.random(in: 0...3, using: &random) == 0 {
                content += (0..<Int.random(in: 0...300, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
            } else {
                content += Data((fragments.randomElement(using: &random) ?? "").utf8)
            }
        }
        if Int.random(in: 0...19, using: &random) == 0 { content += Data.pattern(200_000) }
        // The content must not contain the delimiter.
        return content.range(of: Data("--\(boundary)".utf8)) == nil ? content : Data("text".utf8)
    }
}
