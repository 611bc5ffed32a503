import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Encodes an `Encodable` value as `name=value` pairs, into the URL's query or into the body as a form
/// (`application/x-www-form-urlencoded`).
///
/// Use it wherever a ``ParameterEncoding`` is wanted. The value is encoded whether there are parameters or not; the
/// pairs of parameters follow after its own, in the encoder's styles for arrays and Booleans and its escaping. An empty
/// query leaves the URL as it is.
public struct EncodableFormEncoding: ParameterEncoding {
    /// The value, which needs names at its top level: a struct or a dictionary.
    public let value: any Encodable & Sendable
    /// How the value is written.
    public let encoder: URLEncodedFormEncoder
    /// Where the pairs go.
    public let destination: URLEncoding.Destination

    /// Makes an encoding of one value.
    @preconcurrency
    public init(
        _ value: any Encodable & Sendable,
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: URLEncoding.Destination = .methodDependent
    ) {
        self.value = value
        self.encoder = encoder
        self.destination = destination
    }

    /// Puts the value, and the parameters after it, into the query or the body.
    ///
    /// A body gets `Content-Type: application/x-www-form-urlencoded; charset=utf-8` unless the request has a content
    /// type already.
    ///
    /// - Throws: ``URLEncodedFormEncoder/Error`` or what the value's own `encode(to:)` throws;
    ///   ``URLEncoding/Error/nestedTooDeeply`` for parameters; ``RequestValidationError/invalidURL(_:)`` if the request
    ///   has no URL.
    @preconcurrency
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        var form = try encoder.form(of: value)
        let pairs = ParameterPairs(arrayEncoding: encoder.arrayEncoding, boolEncoding: encoder.boolEncoding)
        for pair in try pairs.pairs(parameters ?? [:]) { form.append(name: pair.name, value: pair.value) }
        try request.putForm(form.text, into: destination)
        return request
    }
}
