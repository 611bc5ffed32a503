#if Macros
    // Mistakes in a protocol, its members, or its attributes.
    extension Mistake {
        static let noProtocol = Mistake(
            id: "noProtocol",
            message: "@API is for a protocol, with a method for each endpoint"
        )
        static let noEndpoints = Mistake(id: "noEndpoints", message: "the API has no endpoints: declare methods in it")

        static func markerOutsideOfAPI(_ name: String) -> Mistake {
            Mistake(id: "markerOutsideOfAPI", message: "@\(name) is for a method of a protocol that has @API")
        }

        static func invalidURL(_ problem: String) -> Mistake {
            Mistake(id: "invalidURL", message: "this is not a base URL: \(problem)")
        }

        static func unsupportedMember(_ kind: String) -> Mistake {
            Mistake(id: "unsupportedMember", message: "an API can only have methods, not \(kind)")
        }

        static func classProtocol(_ name: String) -> Mistake {
            Mistake(
                id: "classProtocol",
                message: "an API can't inherit from '\(name)': its client is a struct"
            )
        }

        static let genericProtocol = Mistake(
            id: "genericProtocol",
            message: "an API has no associated types"
        )
    }
#endif
