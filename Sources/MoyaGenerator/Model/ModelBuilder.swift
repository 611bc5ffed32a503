/// Builds the code of an API from its document.
package struct ModelBuilder {
    let document: Document
    let configuration: Configuration
    var types: TypeBuilder
    var diagnostics = DiagnosticList()
    let apiName: String

    private init(document: Document, configuration: Configuration) {
        self.document = document
        self.configuration = configuration
        types = TypeBuilder(document: document, configuration: configuration)
        apiName = configuration.name ?? Self.name(of: document, configuration.naming)
    }

    /// Returns the code with the messages about it.
    package static func build(
        _ document: Document,
        _ configuration: Configuration
    ) throws(GeneratorFailure) -> (model: APIModel, warnings: [GeneratorDiagnostic]) {
        var builder = ModelBuilder(document: document, configuration: configuration)
        let model = builder.build()
        var diagnostics = builder.diagnostics
        diagnostics.add(builder.types.flattening.diagnostics.all)
        diagnostics.add(builder.types.diagnostics.all)
        guard !diagnostics.hasErrors else {
            throw GeneratorFailure(diagnostics.all.filter { $0.severity == .error })
        }
        return (model, diagnostics.all)
    }

    private mutating func build() -> APIModel {
        var model = APIModel(name: apiName, title: document.title, baseURL: baseURL(), configuration: configuration)
        model.documentation = Documentation(document.summary ?? document.title, details: document.description)
        model.servers = document.servers
        model.security = document.securitySchemes
        let operations = document.operations.filter(configuration.filter.accepts)
        if operations.isEmpty, !configuration.filter.isEmpty {
            diagnostics.error(.filter, "No operation is selected.", at: document.location)
        }
        model.hasSnakeCase = Self.hasSnakeCase(operations)
        if configuration.filter.isEmpty {
            // The named schemas first, because they have the shortest names.
            for id in document.namedSchemas { _ = types.namedType(id) }
        }
        let groups = self.groups(of: operations)
        for group in groups {
            let namer = OperationNames(naming: configuration.naming, given: configuration.operations)
            let names = namer.names(for: group.operations, tag: group.tag)
            // The only protocol is the API.
            let description = groups.count == 1 ? document.summary ?? document.description : nil
            var service = Service(name: "", documentation: Documentation(group.description ?? description))
            service.baseURL = group.baseURL
            for (operation, name) in zip(group.operations, names) {
                let words = namer.typeWords(for: operation, named: name, tag: group.tag)
                service.methods += methods(for: operation, name: name, words: words, tag: group.tag)
            }
            model.services.append(service)
        }
        var finisher = ModelFinisher(types: types, naming: configuration.naming)
        finisher.finish(&model)
        nameServices(&model, groups)
        return model
    }

    // MARK: The API

    /// Returns a name from the title without words that all titles have.
    private static func name(of document: Document, _ naming: NamingRules) -> String {
        let common: Set = [
            "api", "apis", "rest", "restful", "http", "openapi", "swagger", "specification", "spec", "the", "public",
            "preview", "service",
        ]
        let title = document.title.split { "(-–—:|".contains($0) }.first.map(String.init) ?? document.title
        let words = Words(of: title).all.filter { word in
            let isVersion = word.first == "v" && word.count > 1 && word.dropFirst().allSatisfy(\.isNumber)
            return !common.contains(word) && !isVersion && !word.allSatisfy(\.isNumber)
        }
        let name = naming.type(Words(Array(words.prefix(4))))
        return words.isEmpty ? "Service" : ReservedNames.types.contains(name) ? name + "Service" : name
    }

    private mutating func baseURL() -> String {
        if let url = configuration.baseURL { return url }
        guard let server = document.servers.first else {
            diagnostics.warn(
                .server,
                "The document has no server; `http://localhost` is used. `--base-url` sets another URL.",
                at: document.location
            )
            return "http://localhost"
        }
        return url(of: server)
    }

    /// Returns the URL with the defaults of its variables.
    mutating func url(of server: Server) -> String {
        var url = server.url
        for variable in server.variables { url = url.replacing("{\(variable.name)}", with: variable.defaultValue) }
        if url.hasPrefix("//") { url = "https:" + url }
        let (host, path) = Self.parts(ofServer: url)
        guard host?.isEmpty == false, !url.contains("{") else {
            let problem =
                host == nil
                ? "is relative" : host?.isEmpty == true ? "has no host" : "has a variable without a default"
            diagnostics.warn(
                .server,
                "The URL \"\(server.url)\" \(problem); `http://localhost` is its server. `--base-url` sets another URL.",
                at: server.location
            )
            let plainPath = path.replacing("{", with: "").replacing("}", with: "")
            return "http://localhost" + plainPath.trimmedSlash
        }
        return url.trimmedSlash
    }

    /// Returns the host of a URL, which is `nil` if the URL is relative, and its path.
    private static func parts(ofServer url: String) -> (host: String?, path: String) {
        guard let scheme = url.firstRange(of: "://") else { return (nil, url.hasPrefix("/") ? url : "/" + url) }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        return (String(rest[..<end]), String(rest[end...]))
    }

    private static func hasSnakeCase(_ operations: [Operation]) -> Bool {
        let names = operations.flatMap(\.parameters).filter { $0.place == .query }.map(\.name)
        let snake = names.count { $0.contains("_") }
        let camel = names.count { name in name.dropFirst().contains(where: \.isUppercase) }
        return snake > camel
    }

    // MARK: Services

    private struct Group {
        var tag: String
        var description: String?
        /// The URL of another server than that of the API.
        var baseURL: String?
        var operations: [Operation]
    }

    /// Returns the operations by their first tags, in the order of the document's tags.
    ///
    /// A protocol has one server, so operations with other servers are separate protocols.
    private mutating func groups(of operations: [Operation]) -> [Group] {
        var groups = document.tags.map { Group(tag: $0.name, description: $0.description, operations: []) }
        func key(_ tag: String, _ baseURL: String?) -> [String?] { [tag, baseURL] }
        var indices = Dictionary(
            groups.indices.map { (key(groups[$0].tag, nil), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for operation in operations {
            let tag = operation.tags.first ?? ""
            let baseURL = configuration.style == .api ? self.baseURL(of: operation) : nil
            if let index = indices[key(tag, baseURL)] {
                groups[index].operations.append(operation)
            } else {
                indices[key(tag, baseURL)] = groups.count
                groups.append(Group(tag: tag, baseURL: baseURL, operations: [operation]))
            }
        }
        return groups.filter { !$0.operations.isEmpty }
    }

    /// Returns the URL of an operation's own server.
    mutating func baseURL(of operation: Operation) -> String? {
        guard let first = operation.servers?.first, configuration.baseURL == nil else { return nil }
        let url = url(of: first)
        let isOther = document.servers.first.map { self.url(of: $0) != url } ?? true
        return isOther ? url : nil
    }

    /// Names services, after the names of all types are known.
    private func nameServices(_ model: inout APIModel, _ groups: [Group]) {
        let topLevel = model.declarations.filter { $0.parent == nil }.map(\.name)
        var names = UniqueNames(reserved: Set(topLevel).union(ReservedNames.types))
        func isFree(_ name: String) -> Bool { ["", "API", "Client", "Mock"].allSatisfy { names.isFree(name + $0) } }
        for index in model.services.indices {
            let tag = groups[index].tag
            var words = Words(of: tag)
            if let url = groups[index].baseURL {
                // The first part of the host tells the servers apart, as in `uploads.example.com`.
                let host = url.split(separator: "/").dropFirst().first ?? ""
                words = (words.isEmpty ? Words(of: model.name) : words) + Words(of: String(host.prefix { $0 != "." }))
            }
            let base = words.isEmpty ? model.name : configuration.naming.type(words)
            let plain =
                ["API", "Client", "Mock"].first { base.hasSuffix($0) && base != $0 }.map {
                    String(base.dropLast($0.count))
                } ?? base
            let given = groups[index].baseURL == nil ? configuration.tags[tag] : nil
            let candidates = [given, plain, plain + "Endpoints", model.name + plain].compactMap(
                \.self
            )
            let name = names.take(candidates.filter(isFree).isEmpty ? candidates : candidates.filter(isFree))
            for suffix in ["API", "Client", "Mock"] { _ = names.take([name + suffix]) }
            model.services[index].name = name
        }
    }
}

extension String {
    fileprivate var trimmedSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
