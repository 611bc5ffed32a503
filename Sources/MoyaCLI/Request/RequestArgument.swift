import ArgumentParser
import Foundation
import Moya

/// The URL of a request as a command-line argument.
struct RequestURL: Equatable, Sendable {
    let url: URL

    init(argument: String) throws {
        guard let url = URL(strictly: argument), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme),
            url.host?.isEmpty == false
        else { throw ValidationError("Give an absolute http or https URL, such as https://example.com/users?page=1.") }
        self.url = url
    }

    /// Returns the URL with parameters added to its query.
    func adding(_ query: [FieldArgument]) throws -> URL {
        guard !query.isEmpty else { return url }
        let text = url.absoluteString
        let fragment = text.firstIndex(of: "#") ?? text.endIndex
        let base = text[..<fragment]
        let separator = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
        let full = "\(base)\(separator)\(query.map(\.encoded).joined(separator: "&"))\(text[fragment...])"
        guard let url = URL(strictly: full) else { throw ValidationError("The URL is invalid with its query.") }
        return url
    }
}

/// A header as an argument: `Accept: text/plain`.
struct HeaderArgument: Equatable, Sendable {
    let name: String
    let value: String

    /// Creates a header.
    ///
    /// URLRequest drops a header with a control character in its value, so the value is checked here.
    init(argument: String) throws {
        guard let colon = argument.firstIndex(of: ":") else {
            throw ValidationError("A header has a colon between its name and its value.")
        }
        name = argument[..<colon].trimmingCharacters(in: .whitespaces)
        value = argument[argument.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        guard HTTPField.Name(name) != nil else {
            throw ValidationError("The name of a header has letters, digits and !#$%&'*+-.^_`|~, without spaces.")
        }
        guard HTTPField.isValidValue(value) else {
            throw ValidationError("The value of a header can't have a line break or another control character.")
        }
    }
}

/// A parameter or form field as an argument: `page=1`.
struct FieldArgument: Equatable, Sendable, ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        name = String(argument[..<equals])
        value = String(argument[argument.index(after: equals)...])
    }

    var encoded: String { "\(name.percentEncoded(keeping: .unreserved))=\(value.percentEncoded(keeping: .unreserved))" }
}

/// A member of a JSON object as an argument: `name=Zoë`, or any JSON after `:=`, as in `age:=7`.
struct JSONArgument: Equatable, Sendable, ExpressibleByArgument {
    let name: String
    /// The value as JSON.
    let value: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        let name = argument[..<equals]
        let text = String(argument[argument.index(after: equals)...])
        guard name.hasSuffix(":") else {
            self.name = String(name)
            value = Self.quoted(text)
            return
        }
        guard name.count > 1,
            (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
        else { return nil }
        self.name = String(name.dropLast())
        value = text
    }

    var member: String { "\(Self.quoted(name)):\(value)" }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
