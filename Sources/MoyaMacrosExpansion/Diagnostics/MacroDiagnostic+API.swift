#if Macros
    // Mistakes in a protocol, its members, or its attributes.
    extension MacroDiagnostic {
        static let noProtocol = MacroDiagnostic(
            id: "noProtocol",
            message: "@API is for a protocol, with a method for each endpoint"
        )
        static let noEndpoints = MacroDiagnostic(
            id: "noEndpoints",
            message: "the API has no endpoints: declare methods in it"
        )

        static func markerOutsideOfAPI(_ name: String) -> MacroDiagnostic {
            MacroDiagnostic(id: "markerOutsideOfAPI", message: "@\(name) is for a method of a protocol that has @API")
        }

        static func invalidURL(_ problem: String) -> MacroDiagnostic {
            MacroDiagnostic(id: "invalidURL", message: "this is not a base URL: \(problem)")
        }

        static func unsupportedMember(_ kind: String) -> MacroDiagnostic {
            MacroDiagnostic(id: "unsupportedMember", message: "an API can only have methods, not \(kind)")
        }

        static func classProtocol(_ name: String) -> MacroDiagnostic {
            MacroDiagnostic(
                id: "classProtocol",
                message: "an API can't inherit from '\(name)': its client is a struct"
            )
        }

        static let genericProtocol = MacroDiagnostic(
            id: "genericProtocol",
            message: "an API has no associated types"
        )
    }
#endif
