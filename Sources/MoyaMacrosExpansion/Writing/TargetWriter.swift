#if Macros
    /// Writes the enum.
    struct TargetWriter {
        let api: API

        var text: String {
            let isAuthorizable = api.endpoints.contains { $0.authorization != nil }
            var lines = api.attributes
            lines.append("/// What can be asked of ``\(api.name)``: a case for each of its methods.")
            let access = api.access.isEmpty ? "" : api.access + " "
            let conformances = isAuthorizable ? "TargetType, AccessTokenAuthorizable" : "TargetType"
            lines.append("\(access)enum \(api.targetName): \(conformances) {")
            var members = [
                cases, baseURL, path, ["\(api.memberAccess)var isPathEscaped: Bool { true }"], method, task, headers,
            ]
            members.append(validation)
            if isAuthorizable { members.append(authorization) }
            members.append(sampleData)
            members += api.endpoints.compactMap { MemberBodyWriter(endpoint: $0).lines }
            lines += members.filter { !$0.isEmpty }.joined(separator: [""]).flatMap { CodeText.indented([$0]) }
            lines.append("}")
            return lines.joined(separator: "\n")
        }

        private func property(_ declaration: String) -> CaseProperty {
            CaseProperty(declaration: "\(api.memberAccess)var \(declaration)")
        }

        private var cases: [String] {
            api.endpoints.flatMap { endpoint in
                let payload = endpoint.parameters.map(\.payload).joined(separator: ", ")
                return endpoint.documentation + ["case \(endpoint.caseName)\(payload.isEmpty ? "" : "(\(payload))")"]
            }
        }

        private var baseURL: [String] {
            switch api.baseURL {
            case .expression(let expression):
                ["\(api.memberAccess)var baseURL: URL { \(expression) }"]
            case .checked(let text):
                [
                    "\(api.memberAccess)var baseURL: URL { Self.declaredBaseURL }", "",
                    "// Looked at when it was compiled.",
                    "private static let declaredBaseURL = URL(string: \(CodeText.literal(text)))!",
                ]
            }
        }

        private var path: [String] {
            var property = property("path: String")
            for endpoint in api.endpoints {
                let text = endpoint.template.path.map { piece in
                    switch piece {
                    case .text(let text): text
                    case .variable(let name, _):
                        endpoint.isHarmless(name) ? "\\(\(name))" : "\\(PathValue.escape(\(name)))"
                    }
                }
                property.add(endpoint, "\"\(text.joined())\"", using: endpoint.template.pathVariables)
            }
            return property.lines
        }

        private var method: [String] {
            var property = property("method: Moya.Method")
            let known: Set = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE", "QUERY"]
            for endpoint in api.endpoints {
                let name = endpoint.method
                let value =
                    known.contains(name) ? ".\(name.lowercased())" : "Moya.Method(rawValue: \(CodeText.literal(name)))"
                property.add(endpoint, value)
            }
            return property.lines
        }

        private var task: [String] {
            var property = property("task: HTTPTask")
            for endpoint in api.endpoints {
                let task = TaskWriter(endpoint: endpoint)
                property.add(endpoint, task.text, using: task.names)
            }
            return property.lines
        }

        private var headers: [String] {
            var property = property("headers: [String: String]?")
            for endpoint in api.endpoints {
                let headers = HeadersWriter(endpoint: endpoint)
                property.add(endpoint, headers.text, using: headers.names)
            }
            return property.lines
        }

        private var validation: [String] {
            var property = property("validationType: ValidationType")
            for endpoint in api.endpoints { property.add(endpoint, endpoint.validation ?? ".successCodes") }
            return property.lines
        }

        private var authorization: [String] {
            var property = property("authorizationType: AuthorizationType?")
            for endpoint in api.endpoints { property.add(endpoint, endpoint.authorization ?? "nil") }
            return property.lines
        }

        private var sampleData: [String] {
            var property = property("sampleData: Data")
            for endpoint in api.endpoints {
                switch endpoint.sample {
                case .text(let literal): property.add(endpoint, "Data(\(literal).utf8)")
                case .value(let expression): property.add(endpoint, "SampleData.of(\(expression))")
                case .function(let function):
                    let names = endpoint.parameters.map(\.name)
                    property.add(
                        endpoint,
                        "SampleData.of((\(function))(\(names.joined(separator: ", "))))",
                        using: names
                    )
                case nil:
                    guard case .value(let type, _) = endpoint.answer, endpoint.kind == .value else {
                        property.add(endpoint, "Data()")
                        continue
                    }
                    property.add(endpoint, "SampleData.of(\(type).self\(endpoint.keyPath.map { ", at: \($0)" } ?? ""))")
                }
            }
            let lines = property.lines
            // What a target has anyway.
            return lines == ["\(api.memberAccess)var sampleData: Data { Data() }"] ? [] : lines
        }
    }

    extension Endpoint {
        fileprivate func isHarmless(_ name: String) -> Bool {
            parameters.first { $0.name == name }?.type.isHarmlessInPath ?? false
        }
    }
#endif
