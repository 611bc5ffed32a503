#if Macros
/// One method of a declared API.
struct Endpoint {
    /// How the response is processed.
    enum Kind { case value, byStatus, download, stream, pages, webSocket }

    /// How parameters are encoded in the body.
    enum Format { case json, form, multipart }

    /// The method's name, without backticks.
    var name: String
    /// The name of the endpoint's case: the name of the method, unless the method is overloaded.
    var caseName: String
    /// The lines of the method's documentation.
    var documentation: [String]
    /// The method's attributes of other modules, and its modifiers.
    var specifiers: [String]
    /// The HTTP method, such as `GET`.
    var method: String
    var template: PathTemplate
    var parameters: [Parameter]
    var kind: Kind
    var format: Format
    var output: Output
    /// The declared result: an arrow and a type, or nothing.
    var arrow: String
    /// Whether the method throws `MoyaError` instead of any error.
    var throwsMoyaError: Bool
    /// The headers, with the pieces of their values.
    var headers: [Header]
    /// Additional arguments of `URLEncoding`.
    var urlStyle: String?
    /// An expression of type `AuthorizationType?`.
    var authorization: String?
    var keyPath: String?
    /// An expression of type `Pagination`.
    var pagination: String?
    /// The arguments after the target with which the provider opens a WebSocket.
    var webSocketArguments: [String]
    /// An expression of type `ValidationType`.
    var validation: String?
    /// An expression for the type of error bodies.
    var errorBody: String?
    /// The types of error bodies for some statuses.
    var statusErrorBodies: [StatusErrorBody]
    /// An expression of type `RetryChoice`, or for a retrier.
    var retry: String?
    /// An expression of type `IdempotencyKeys?`.
    var idempotencyKeys: String?
    /// The encoder of the body, in place of the API's.
    var encoder: Coder?
    /// The decoder of the response, in place of the API's.
    var decoder: Coder?
    /// The literal of the data of the event that ends a stream.
    var streamEnd: String?
    /// An expression of type `TimeInterval?`.
    var timeout: String?
    /// Expressions of type `Duration?` for the properties of `RequestTimeouts`, in their order.
    var timeouts: [TimeoutArgument]
    /// An expression of type `URLRequest.CachePolicy`.
    var cachePolicy: String?
    var sample: Sample?

    func parameters(_ role: Parameter.Role) -> [Parameter] { parameters.filter { $0.role == role } }
}

/// A limit of the time of requests: the name of a property of `RequestTimeouts`, and an expression.
struct TimeoutArgument {
    /// The names of the properties, in the order of the initializer's parameters.
    static let names = ["total", "attempt", "connect", "pool", "firstByte"]

    var name: String
    var value: String
}

/// The type of the error bodies for some statuses.
struct StatusErrorBody: Hashable {
    /// An expression for the type.
    var type: String
    /// An expression for a status or a range of statuses.
    var statuses: String
}

/// An encoder or a decoder of a method.
struct Coder: Hashable {
    /// The type of the expression, in generated code.
    var type: String
    var expression: String
}

/// A header whose value may contain parameters.
struct Header {
    var name: String
    var value: [TemplatePiece]
}

/// The body of an endpoint's stub.
enum Sample {
    /// A literal, as written.
    case text(String)
    /// An expression for a value.
    case value(String)
    /// A function of the parameters.
    case function(String)
}
#endif
