import Foundation

// Two encodings of one value may differ, because the order of JSON keys on Linux changes each time. So requests are compared
// as if all keys were sorted.
extension HTTPTask {
    /// Returns the same task with an encoding that writes equal parameters identically; for comparison only, never
    /// sent.
    ///
    /// - Parameter unwritten: Receives the parameters and encodings that are compared as values, because the returned
    ///   task does not write them.
    /// - Returns: The task to compare.
    func canonical(_ unwritten: inout [ValueIdentity]) -> HTTPTask {
        switch self {
        case .requestJSONEncodable(let value):
            return .requestCustomJSONEncodable(value, encoder: JSONEncoder().sortingKeys)
        case .requestCustomJSONEncodable(let value, let encoder):
            let sorting = encoder.sortingKeys
            if type(of: encoder) != JSONEncoder.self {
                // A subclass may write anything, including values that its superclass cannot encode.
                guard (try? sorting.encode(value)) != nil else { return self }
                unwritten.append(.object(ObjectIdentifier(encoder)))
            }
            return .requestCustomJSONEncodable(value, encoder: sorting)
        case .requestParameters(let parameters, let encoding):
            if let extended = ExtendedTask(of: self) { return extended.canonical(parameters, &unwritten) }
            return .requestParameters(
                parameters: parameters,
                encoding: encoding.canonical(for: parameters, &unwritten)
            )
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let urlParameters):
            return .requestCompositeParameters(
                bodyParameters: bodyParameters,
                bodyEncoding: bodyEncoding.canonical(for: bodyParameters, &unwritten),
                urlParameters: urlParameters
            )
        case .downloadParameters(let parameters, let encoding, let destination):
            return .downloadParameters(
                parameters: parameters,
                encoding: encoding.canonical(for: parameters, &unwritten),
                destination: destination
            )
        // The query's names are already sorted.
        case .requestPlain, .requestData, .requestCompositeData, .uploadFile, .uploadMultipart,
            .uploadCompositeMultipart, .downloadDestination:
            return self
        }
    }
}

extension ExtendedTask {
    fileprivate func canonical(_ parameters: [String: any Sendable], _ unwritten: inout [ValueIdentity]) -> HTTPTask {
        switch kind {
        case .body, .form: Self.request(kind, parameters)
        case .gzipped(let task): Self.request(.gzipped(task.adding(parameters).canonical(&unwritten)))
        case .query(let task, let query, let encoding):
            Self.request(.query(task.adding(parameters).canonical(&unwritten), query, encoding))
        case .page(let task, let location):
            Self.request(.page(task.adding(parameters).canonical(&unwritten), location))
        case .reference(let task, let reference):
            Self.request(.reference(task.adding(parameters).canonical(&unwritten), reference))
        }
    }
}

extension ParameterEncoding {
    fileprivate func canonical(
        for parameters: [String: any Sendable],
        _ unwritten: inout [ValueIdentity]
    ) -> any ParameterEncoding {
        switch self {
        case is URLEncoding:
            return self
        case let encoding as JSONEncoding:
            return JSONEncoding(options: encoding.options.union(.sortedKeys))
        case let encoding as EncodableFormEncoding:
            var encoder = encoding.encoder
            if encoder.keyOrder != .alphabetical {
                unwritten.append(.text(type: ObjectIdentifier(Self.self), "\(encoder.keyOrder)"))
                encoder.keyOrder = .alphabetical
            }
            return EncodableFormEncoding(encoding.value, encoder: encoder, destination: encoding.destination)
        default:
            // An encoding that holds a closure, for example, can only be compared by its output.
            guard let identity = ValueIdentity(self), let values = ValueIdentity(parameters) else { return self }
            unwritten += [identity, values]
            return NoEncoding()
        }
    }
}

/// An encoding that writes nothing.
private struct NoEncoding: ParameterEncoding {
    func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws -> URLRequest
    {
        try urlRequest.asURLRequest()
    }
}

extension JSONEncoder {
    /// An encoder with the same settings that sorts keys.
    fileprivate var sortingKeys: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = outputFormatting.union(.sortedKeys)
        encoder.dateEncodingStrategy = dateEncodingStrategy
        encoder.dataEncodingStrategy = dataEncodingStrategy
        encoder.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        encoder.keyEncodingStrategy = keyEncodingStrategy
        encoder.userInfo = userInfo
        return encoder
    }
}
