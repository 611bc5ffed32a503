import HTTPTypes

extension HTTPBody {
    /// Returns the body followed by trailers: fields that are known only at the end of the body, such as a checksum or a status
    /// (RFC 9110, section 6.5).
    ///
    /// `NIOTransport` sends them. Over HTTP/1.1, the body is then sent in chunks even if its length is known. URLSession and
    /// AsyncHTTPClient cannot send trailers (``RequestValidationError/trailersNotSupported``), and neither can a part of a
    /// multipart body (``MultipartError/trailersOfPart(part:)``). HAR files and cURL commands leave them out. A body has one
    /// function for its trailers: a second call replaces the names and the function of the first one.
    ///
    /// - Parameters:
    ///   - names: The names for the request's `Trailer` field (RFC 9110, section 6.6.2), from which a server knows the trailers
    ///     in advance. Without names, or if the request has such a field, none is added.
    ///   - makeTrailers: Called when the body has been read to its end, each time that it is sent: again for a retry and for a
    ///     redirect that repeats the body. It must not wait, and its error fails the request. If it returns no fields, the body
    ///     ends without trailers.
    /// - Returns: The body.
    public func withTrailers(
        _ names: [HTTPField.Name] = [],
        _ makeTrailers: @escaping @Sendable () throws -> HTTPFields
    ) -> HTTPBody {
        var body = self
        body.trailerSource = TrailerSource(names: names, make: makeTrailers)
        return body
    }

    /// Whether trailers follow the body.
    ///
    /// A transport sends the fields of ``Reader/trailers()``, or refuses the request.
    public var hasTrailers: Bool { trailerSource != nil }

    /// The value of the request's `Trailer` field; `nil` if it has none.
    package var trailerList: String? {
        guard let names = trailerSource?.names, !names.isEmpty else { return nil }
        return names.map(\.rawName).joined(separator: ", ")
    }
}

/// The function that supplies the trailers of a body.
// A class, because it takes less space in each copy of a request.
final class TrailerSource: Sendable {
    let names: [HTTPField.Name]
    private let make: @Sendable () throws -> HTTPFields

    init(names: [HTTPField.Name], make: @escaping @Sendable () throws -> HTTPFields) {
        (self.names, self.make) = (names, make)
    }

    /// Throws ``RequestBodyError/Reason/trailerNotAllowed(name:)`` for a name that may not be in trailers.
    func checkNames() throws(RequestBodyError) { try Self.check(names) }

    /// Calls the function, and returns its fields.
    ///
    /// - Throws: ``RequestBodyError`` if the function throws, or returns a field that may not be in trailers.
    func makeTrailers() throws(RequestBodyError) -> HTTPFields {
        let fields: HTTPFields
        do {
            fields = try make()
        } catch {
            throw RequestBodyError(.failed, underlyingError: error)
        }
        try Self.check(fields.lazy.map(\.name))
        return fields
    }

    private static func check(_ names: some Sequence<HTTPField.Name>) throws(RequestBodyError) {
        for name in names where !name.isAllowedInTrailers {
            throw RequestBodyError(.trailerNotAllowed(name: name.rawName))
        }
    }
}

extension TrailerSource: Hashable {
    static func == (lhs: TrailerSource, rhs: TrailerSource) -> Bool { lhs === rhs }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
