import Foundation

extension MultipartFormData.FormDataProvider {
    /// Creates a provider from any body, such as an async sequence.
    ///
    /// Applications switch over the cases, so that an additional one would break them. This is a
    /// ``MultipartFormData/FormDataProvider/stream(_:_:)`` whose stream carries the body and has no bytes itself.
    public static func body(_ body: HTTPBody) -> Self { .stream(BodyCarrier(body), 0) }

    /// The body that the stream carries, if any.
    var carriedBody: HTTPBody? {
        guard case .stream(let carrier as BodyCarrier, _) = self else { return nil }
        return carrier.body
    }
}

/// A stream that carries a body, by which it is compared.
private final class BodyCarrier: InputStream {
    let body: HTTPBody

    init(_ body: HTTPBody) {
        self.body = body
        super.init(data: Data())
    }

    override func isEqual(_ object: Any?) -> Bool { (object as? BodyCarrier)?.body == body }

    override var hash: Int { body.hashValue }
}
