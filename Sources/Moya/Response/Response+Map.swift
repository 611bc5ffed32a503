import Foundation

extension Response {
    /// Returns the data as a JSON value: a dictionary, array, text, number, Boolean or `NSNull`.
    ///
    /// - Parameter failsOnEmptyData: Whether an empty body is an error; otherwise it returns `NSNull`.
    /// - Returns: The value.
    /// - Throws: ``MoyaError/jsonMapping(_:)``.
    public func mapJSON(failsOnEmptyData: Bool = true) throws(MoyaError) -> Any {
        if data.isEmpty, !failsOnEmptyData { return NSNull() }
        do {
            return try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        } catch {
            throw .jsonMapping(self)
        }
    }

    /// Returns the data as text, or the text at a key path of a JSON object.
    ///
    /// The text is in the charset of the `Content-Type` (RFC 9110, section 8.3.2), such as `text/plain; charset=ISO-8859-1`. It is
    /// in UTF-8 if there is none, if Foundation does not know it, and if the data is not text in it.
    ///
    /// - Parameter keyPath: Names of nested objects, separated by dots.
    /// - Returns: The text.
    /// - Throws: ``MoyaError/stringMapping(_:)``; with a key path also ``MoyaError/jsonMapping(_:)`` if the data is
    ///   not JSON.
    public func mapString(atKeyPath keyPath: String? = nil) throws(MoyaError) -> String {
        guard let keyPath else {
            guard let text else { throw .stringMapping(withoutText) }
            return text
        }
        let part: Data?
        do {
            part = try JSONKeyPath(keyPath).part(of: data)
        } catch {
            throw .jsonMapping(self)
        }
        guard let part else { throw .stringMapping(missingValue(at: keyPath)) }
        guard let text = try? JSONDecoder().decodeBody(String.self, from: part) else {
            throw .stringMapping(
                Response(self, mappingProblem: "The value at the key path \"\(keyPath)\" is not a string.")
            )
        }
        return text
    }

    /// Decodes the data, or the part at a key path, as a type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - keyPath: Names of nested objects, separated by dots. For an array the rest of the path is applied to each
    ///     element.
    ///   - decoder: Decodes the data.
    ///   - failsOnEmptyData: Whether an empty body is an error. Otherwise it is decoded as `{}`, then as `[{}]`; and
    ///     if there is no value at the key path, the whole body is decoded.
    /// - Returns: The value.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the decoder's error; with a key path also
    ///   ``MoyaError/jsonMapping(_:)`` if the data is not JSON or has no value there.
    public func map<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) throws(MoyaError) -> D {
        try decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
    }

    /// Decodes the data, or the part at a key path, as a type, with any decoder.
    ///
    ///     let settings = try response.map(Settings.self, using: PropertyListDecoder())
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - keyPath: Names of nested dictionaries, separated by dots, for decoders that support key paths.
    ///   - decoder: Decodes the data; see ``ResponseDecoder`` for using decoders of other packages.
    ///   - failsOnEmptyData: Whether an empty body is an error. Otherwise it is decoded as one of the decoder's
    ///     ``ResponseDecoder/emptyBodies``; and if there is no value at the key path, the whole body is decoded.
    /// - Returns: The value.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the decoder's error, with ``UnsupportedKeyPath``, or with a
    ///   `DecodingError.valueNotFound` if there is no value at the key path; for a `JSONDecoder` also
    ///   ``MoyaError/jsonMapping(_:)``, as its own method does.
    public func map<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool = true
    ) throws(MoyaError) -> D {
        try decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData)
    }

    /// Returns the result of a function of the data, such as the decoding of a type that decodes itself.
    ///
    ///     let book = try response.map(Book.self) { try Book(serializedBytes: $0) }
    ///
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the function's error.
    public func map<Value>(
        _ type: Value.Type = Value.self,
        using decode: (Data) throws -> Value
    ) throws(MoyaError) -> Value {
        do {
            return try decode(data)
        } catch {
            throw .objectMapping(error, self)
        }
    }

    /// Decodes the data, or the part at a key path; implements the `map` methods.
    func decode<D: Decodable>(
        _ type: D.Type,
        atKeyPath keyPath: String?,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool
    ) throws(MoyaError) -> D {
        let (part, isAtKeyPath) = try part(
            atKeyPath: keyPath,
            for: type,
            using: decoder,
            failsOnEmptyData: failsOnEmptyData
        )
        do {
            if part.isEmpty, !failsOnEmptyData {
                for empty in decoder.emptyBodies {
                    if let value = try? decoder.decodeBody(type, from: empty) { return value }
                }
            }
            return try decoder.decodeBody(type, from: part)
        } catch {
            var error = (decoder as? JSONDecoder)?.locating(error, decoding: type, from: part) ?? error
            if isAtKeyPath, let keyPath, let failure = error as? DecodingError {
                error = failure.inside(keyPath: keyPath)
            }
            throw .objectMapping(error, self)
        }
    }

    /// Returns an equal response for the error about a missing value.
    private func missingValue(at keyPath: String) -> Response {
        Response(self, mappingProblem: "Nothing is at the key path \"\(keyPath)\".")
    }

    /// Returns the data to decode, and whether it is the part at the key path.
    private func part<D: Decodable>(
        atKeyPath keyPath: String?,
        for type: D.Type,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool
    ) throws(MoyaError) -> (data: Data, isAtKeyPath: Bool) {
        guard let keyPath, failsOnEmptyData || !data.isEmpty else { return (data, false) }
        let part: Data?
        do {
            part = try decoder.part(of: data, atKeyPath: keyPath)
        } catch {
            throw decoder is JSONDecoder ? .jsonMapping(self) : .objectMapping(error, self)
        }
        if let part { return (part, true) }
        guard failsOnEmptyData else { return (data, false) }
        let response = missingValue(at: keyPath)
        guard !(decoder is JSONDecoder) else { throw .jsonMapping(response) }
        let context = DecodingError.Context(
            codingPath: [],
            debugDescription: response.mappingProblem ?? ""
        )
        throw .objectMapping(DecodingError.valueNotFound(type, context), response)
    }
}

extension Response {
    /// Returns this response if its status code is in the range.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``.
    @discardableResult
    public func filter<R: RangeExpression>(statusCodes: R) throws(MoyaError) -> Response where R.Bound == Int {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// Returns this response if it has the status code.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``.
    @discardableResult
    public func filter(statusCode: Int) throws(MoyaError) -> Response {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// Returns this response if its status code is in 200 to 299.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``.
    @discardableResult
    public func filterSuccessfulStatusCodes() throws(MoyaError) -> Response { try filter(statusCodes: 200...299) }

    /// Returns this response if its status code is in 200 to 399.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``.
    @discardableResult
    public func filterSuccessfulStatusAndRedirectCodes() throws(MoyaError) -> Response {
        try filter(statusCodes: 200...399)
    }
}

/// Converts the values that URLSession returns to a result.
///
/// A response without an error is a success. An error is a failure in ``MoyaError/underlying(_:_:)``, with the
/// response if there is one. If both are missing, the failure is `NSURLErrorUnknown`.
public func convertResponseToResult(
    _ response: HTTPURLResponse?,
    request: URLRequest?,
    data: Data?,
    error: (any Swift.Error)?
) -> Result<Moya.Response, MoyaError> {
    let converted = response.map {
        Response(statusCode: $0.statusCode, data: data ?? Data(), request: request, response: $0)
    }
    switch (converted, error) {
    case (let converted?, nil): return .success(converted)
    case (let converted, let error?): return .failure(.underlying(error, converted))
    case (nil, nil): return .failure(.underlying(URLError.make(.unknown, url: request?.url), nil))
    }
}

extension Response {
    /// Returns the body as a value of the type, also if the body is empty and the type allows it.
    ///
    ///     let user = try response.output(User?.self)  // nil for a 204
    ///
    /// An empty body is `nil` for an `Optional`. Without a key path `Data` is the unchanged body and `String` its
    /// text in UTF-8. Every other type is decoded.
    ///
    /// - Parameters:
    ///   - type: The type, which can be inferred.
    ///   - keyPath: The location of the value in the body: names separated by dots; `nil` for the whole body.
    ///   - decoder: Decodes the body.
    /// - Returns: The value.
    /// - Throws: ``MoyaError/objectMapping(_:_:)`` with the decoder's error, as `map(_:atKeyPath:using:)` does; with
    ///   a key path and a `JSONDecoder` also ``MoyaError/jsonMapping(_:)``; for text that is not UTF-8
    ///   ``MoyaError/stringMapping(_:)``.
    public func output<Output: Decodable>(
        _ type: Output.Type = Output.self,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) throws(MoyaError) -> Output {
        // Only optional types can be cast to.
        if data.isEmpty, let nothing = Never?.none as? Output { return nothing }
        if keyPath == nil, let body = try body(as: type) { return body }
        return try decode(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: true)
    }

    /// Returns the undecoded body if the type is `Data` or `String`, or an optional one.
    private func body<Body>(as type: Body.Type) throws(MoyaError) -> Body? {
        if let data = data as? Body { return data }
        guard "" is Body else { return nil }
        guard let text else { throw .stringMapping(withoutText) }
        return text as? Body
    }
}
