#if Macros
    /// One method of a declared API.
    struct Endpoint {
        /// Where the answer goes.
        enum Kind { case value, download, stream }

        /// How parameters stand in the body.
        enum Format { case json, form, multipart }

        /// The method's name, without backticks.
        var name: String
        /// What its case is called: its name, unless several methods have that.
        var caseName: String
        /// The lines of its documentation.
        var documentation: [String]
        /// The HTTP method, such as `GET`.
        var method: String
        var template: PathTemplate
        var parameters: [Parameter]
        var kind: Kind
        var format: Format
        var answer: Answer
        /// What it gives, as it is declared: an arrow and a type, or nothing.
        var arrow: String
        /// Whether it throws `MoyaError`, and not any error.
        var throwsMoyaError: Bool
        /// Header names, and the pieces of their values.
        var headers: [Header]
        /// What further arguments `URLEncoding` gets.
        var urlStyle: String?
        /// An expression for `AuthorizationType?`.
        var authorization: String?
        var keyPath: String?
        /// An expression for `ValidationType`.
        var validation: String?
        /// An expression for the type of an error's body.
        var errorBody: String?
        var sample: Sample?

        func parameters(_ role: Parameter.Role) -> [Parameter] { parameters.filter { $0.role == role } }
    }

    /// A header whose value may have parameters in it.
    struct Header {
        var name: String
        var value: [TemplatePiece]
    }

    /// What an endpoint's stub answers with.
    enum Sample {
        /// A literal, as it is written.
        case text(String)
        /// An expression for a value.
        case value(String)
        /// A function of the parameters.
        case function(String)
    }
#endif
