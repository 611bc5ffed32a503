#if Macros
    /// Generates the parts of a multipart form.
    struct PartsWriter {
        let parameters: [Parameter]

        var text: String {
            let parts = parameters.map { parameter in
                guard parameter.type.isOptional else { return part(parameter, parameter.code) }
                return "\(parameter.code).map { \(part(parameter, "$0")) }"
            }
            let isPartial = parameters.contains(where: \.type.isOptional)
            let end = isPartial ? "].compactMap { $0 })" : "])"
            return CodeText.list("MoyaGenerated.MultipartFormData(parts: [", parts, end, room: 72).joined(
                separator: "\n"
            )
        }

        private func part(_ parameter: Parameter, _ value: String) -> String {
            "MoyaGenerated.MultipartFormBodyPart.value(\(value), name: \(CodeText.literal(parameter.wireName)))"
        }
    }
#endif
