import MoyaGenerator
import Testing

@Suite("The plugin for API keys has the places that the document has")
struct SecurityWriterTests {
    private func text(_ places: [String]) throws -> String {
        let schemes = places.map { "\($0)Key: {type: apiKey, in: \($0), name: key}" }
        return try generate(
            """
            openapi: 3.1.0
            info: {title: Zoo, version: '1'}
            servers: [{url: 'https://zoo.example'}]
            components: {securitySchemes: {\(schemes.joined(separator: ", "))}}
            paths: {}

            """
        ).text("Support/ZooCredentials.swift")
    }

    private static let code = [
        "header": "request.setValue(key(), forHTTPHeaderField: name)\n",
        "query": "request.url?.append(queryItems: [URLQueryItem(name: name, value: key())])\n",
        "cookie": "request.setValue(cookies.joined(separator: \"; \"), forHTTPHeaderField: \"Cookie\")\n",
    ]

    @Test("one place needs no choice", arguments: ["header", "query", "cookie"])
    func single(place: String) throws {
        let text = try text([place])
        #expect(text.contains("        APIKeyPlugin(name: \"key\", key: key)\n"))
        #expect(!text.contains("Place"))
        for (name, code) in Self.code { #expect(text.contains("        " + code) == (name == place)) }
    }

    @Test("several places are a choice of these")
    func several() throws {
        let text = try text(["cookie", "header"])
        #expect(text.contains("        case header, cookie\n"))
        #expect(text.contains("        APIKeyPlugin(name: \"key\", place: .cookie, key: key)\n"))
        #expect(text.contains("        APIKeyPlugin(name: \"key\", place: .header, key: key)\n"))
        for (name, code) in Self.code { #expect(text.contains("            " + code) == (name != "query")) }
    }
}
