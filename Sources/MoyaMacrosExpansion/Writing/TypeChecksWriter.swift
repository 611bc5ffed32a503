#if Macros
    /// Generates declarations next to a method that compile only if its types can be sent and decoded.
    ///
    /// So the compiler reports a type at the method, and not only inside of the target and the client.
    struct TypeChecksWriter {
        let endpoint: Endpoint

        /// Returns the declarations.
        ///
        /// - Parameter uniqueName: Returns a name that nothing else has.
        /// - Returns: The declarations.
        func texts(uniqueName: (String) -> String) -> [String] {
            var checks = endpoint.parameters.compactMap { parameter -> (comment: String, check: String)? in
                guard isSentAsJSON(parameter) else { return nil }
                return (
                    "'\(parameter.name)' is sent as JSON: its type must be Encodable and Sendable.",
                    "MoyaGenerated.SentAsJSON<\(parameter.type.text)>"
                )
            }
            if endpoint.kind == .value, case .value(let type, _) = endpoint.output {
                checks.append(
                    (
                        "The result of '\(endpoint.name)' is decoded: its type must be Decodable.",
                        "MoyaGenerated.DecodedResult<\(type)>"
                    )
                )
            }
            return checks.enumerated().map { index, check in
                // The compiler's unique names are the same for overloaded methods.
                let name = uniqueName("check\(index)\(endpoint.signatureWords)")
                return "// \(check.comment)\ntypealias \(name) =\n    \(check.check)"
            }
        }

        private func isSentAsJSON(_ parameter: Parameter) -> Bool {
            // The compiler opens an existential, which does not itself conform to Encodable.
            let isExistential = ["any ", "(any "].contains { parameter.type.wrapped.hasPrefix($0) }
            guard !isExistential else { return false }
            return switch parameter.role {
            case .member: true
            case .body: !["Data", "HTTPBody", "URL"].contains(parameter.type.wrapped)
            case .template, .headerTemplate, .query, .header, .field, .part, .destination: false
            }
        }
    }
#endif
