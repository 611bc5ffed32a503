import Foundation

extension MultipartFormData.FormDataProvider {
    /// From anything a body can be made of: an async sequence, for example.
    ///
    /// Applications switch over the cases, so that one more would break them. This is a
    /// ``MultipartFormData/FormDataProvider/stream(_:_:)`` whose stream stands for the body, and has no bytes itself.
    public static func body(_ body: HTTPBody) -> Self { .stream(BodyCarrier(body), 0) }

    /// The body that the stream stands for, if it does.
    var carriedBody: HTTPBody? {
        guard case .stream(let carrier as BodyCarrier, _) = self else { return nil }
        return carrier.body
    }
}

/// A stream that stands for a body. Two of them are equal if their bodies are.
private final class BodyCarrier: InputStream {
    let body: HTTPBody

    init(_ body: HTTPBody) {
        self.body = body
        super.init(data: Data())
    }

    override func isEqual(_ object: Any?) -> Bool { (object as? BodyCarrier)?.body == body }

    override var hash: Int { body.hashValue }
}
