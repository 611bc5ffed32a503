#if Macros
    // What is wrong with a protocol, its members, or the attributes that hold for all of it.
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
            Mistake(id: "invalidURL", message: "this is no base URL: \(problem)")
        }

        static func unsupportedMember(_ kind: String) -> Mistake {
            Mistake(id: "unsupportedMember", message: "an API has methods only, and no \(kind)")
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
