#if Macros
import Foundation
import MoyaHTTP

/// The parts of a multipart form with an endpoint's parameters, in which `nil` values are omitted.
public struct FormParts: Sendable {
    private let style: URLEncoding
    private var parts: [MultipartFormData] = []
    private var failure: (any Error)?

    /// Creates an empty form.
    ///
    /// - Parameter style: How Booleans, and the names of array elements, are written.
    public init(style: URLEncoding = .default) { self.style = style }

    /// The task that sends the form; it fails if a value cannot be a part.
    public var task: HTTPTask { failure.map(HTTPTask.refused) ?? .uploadMultipart(parts) }

    /// Returns the form with the parts of a value.
    ///
    /// A `URL` is a file, which is streamed; `Data` and `HTTPBody` are sent unchanged; a `MultipartFormData` is used as it
    /// is. Each element of a collection is a part, and so is each property of a structure. All other values are texts,
    /// as in a form.
    public func adding<Value: Sendable>(_ name: String, _ value: Value) -> FormParts {
        var form = self
        do {
            let leaves = try ParameterValue(value).leaves(name: name, style: style, keep: Content.init)
            form.parts += leaves.map(Self.part)
        } catch {
            form.failure = failure ?? error
        }
        return form
    }

    /// A value that is not sent as text.
    private enum Content {
        case part(MultipartFormData)
        case provider(MultipartFormData.FormDataProvider)

        init?(_ value: Any) {
            switch value {
            case let part as MultipartFormData: self = .part(part)
            case let data as Data: self = .provider(.data(data))
            case let file as URL: self = .provider(.file(file))
            case let body as HTTPBody: self = .provider(.body(body))
            default: return nil
            }
        }
    }

    private static func part(name: String, leaf: ParameterLeaf<Content>) -> MultipartFormData {
        switch leaf {
        case .text(let text): MultipartFormData(provider: .data(Data(text.utf8)), name: name)
        case .kept(.part(let part)): part
        case .kept(.provider(let provider)): MultipartFormData(provider: provider, name: name)
        }
    }
}
#endif
