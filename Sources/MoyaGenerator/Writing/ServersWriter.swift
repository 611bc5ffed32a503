import MoyaCodeText

/// Writes the servers of an API, if there are several, or if their URLs have variables.
struct ServersWriter {
    let model: APIModel

    private var modifier: String { model.configuration.access.modifier }

    var files: [GeneratedFile] {
        let servers = model.servers.filter { $0.url.contains("://") }
        guard servers.count > 1 || servers.contains(where: { !$0.variables.isEmpty }) else { return [] }
        var lines = CodeLines()
        lines.add("import Foundation")
        lines.add()
        lines.comment("The servers of \(model.name).")
        lines.block("\(modifier)enum \(model.name)Server") { lines in
            var names = UniqueNames()
            for server in servers { write(server, servers, &names, into: &lines) }
        }
        return [GeneratedFile(path: "Support/\(model.name)Server.swift", text: lines.text)]
    }

    private func write(_ server: Server, _ servers: [Server], _ names: inout UniqueNames, into lines: inout CodeLines) {
        let name = names.take([name(of: server)])
        let naming = model.configuration.naming
        lines.separate()
        lines.document(Documentation(server.description), or: "The server at `\(server.url)`.")
        let escaped = ReservedNames.escaped(name)
        guard !server.variables.isEmpty else {
            return lines.add("\(modifier)static let \(escaped) = URL(string: \(SwiftText.literal(server.url)))!")
        }
        var text = SwiftText.escaped(server.url)
        let parameters = server.variables.map { variable in
            let parameter = naming.value(Words(of: variable.name))
            text = text.replacing("{\(variable.name)}", with: "\\(\(ReservedNames.escaped(parameter)))")
            return "\(ReservedNames.escaped(parameter)): String = \(SwiftText.literal(variable.defaultValue))"
        }
        lines.list("\(modifier)static func \(escaped)(", parameters, ") -> URL? {")
        lines.indented { $0.add("URL(string: \"\(text)\")") }
        lines.add("}")
    }

    /// Returns a name from the server's name, or from a short description, or from its host.
    private func name(of server: Server) -> String {
        let naming = model.configuration.naming
        if let name = server.name, !Words(of: name).isEmpty { return naming.value(Words(of: name)) }
        if let description = server.description, description.count <= 30 {
            let words = Words(of: description).all.filter {
                !["server", "the", "api", "url", "endpoint", "environment"].contains($0)
            }
            if !words.isEmpty { return naming.value(Words(words)) }
        }
        let host = server.url.split(separator: "/").dropFirst().first.map(String.init) ?? server.url
        return naming.value(Words(of: host.replacing("{", with: " ").replacing("}", with: " ")))
    }
}
