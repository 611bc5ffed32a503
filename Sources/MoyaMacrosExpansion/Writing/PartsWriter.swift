#if Macros
    /// Writes a form of parts.
    struct PartsWriter {
        let parameters: [Parameter]

        var text: String {
            let parts = parameters.map { parameter in
                guard parameter.type.isOptional else { return part(parameter, parameter.name, type: "") }
                return "\(parameter.name).map { \(part(parameter, "$0", type: "MultipartFormBodyPart")) }"
            }
            let isPartial = parameters.contains(where: \.type.isOptional)
            let end = isPartial ? "].compactMap { $0 })" : "])"
            return CodeText.list("MultipartFormData(parts: [", parts, end, room: 72).joined(separator: "\n")
        }

        private func part(_ parameter: Parameter, _ value: String, type: String) -> String {
            let name = CodeText.literal(parameter.wireName)
            switch parameter.type.wrapped {
            case "MultipartFormBodyPart": return value
            case "URL": return "MultipartFormBodyPart(provider: .file(\(value)), name: \(name))"
            case "Data": return "MultipartFormBodyPart(provider: .data(\(value)), name: \(name))"
            case "String": return "MultipartFormBodyPart(provider: .data(Data(\(value).utf8)), name: \(name))"
            default: return "MultipartFormBodyPart.value(\(value), name: \(name))"
            }
        }
    }
#endif
