import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Response {
    /// A sentence for people that says which request got a status that is not accepted, and how the body begins.
    ///
    /// Secrets are masked.
    var refusal: String {
        let request = request.flatMap { request in
            request.url.map { "\(request.httpMethod ?? "GET") \(SecretMask.standard.text(of: $0))" }
        }
        let status =
            request.map { "\($0) returned the status code \(statusCode), which is not accepted." }
            ?? "The status code \(statusCode) is not accepted."
        return bodyStart.map { "\(status) Body: \($0)" } ?? status
    }

    /// The beginning of a body of text, in one line; `nil` for other bodies.
    private var bodyStart: String? {
        // More would cost time, and is not shown. A value that is cut off is masked, too.
        let data = data.prefix(2_048)
        let mask = SecretMask.standard
        let scrubber = SecretScrubber(mask, request: request, request?.headers ?? [], response: headers, data)
        let masked = scrubber.scrubbing(mask.body(data, contentType: headers["Content-Type"]))
        guard !masked.contains(0) else { return nil }
        let text = String(decoding: masked, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { return nil }
        return text.count > 200 || self.data.count > data.count ? "\(text.prefix(200))…" : text
    }
}

extension DecodingError {
    /// A sentence that says where a value does not have the form that was expected, without the value itself.
    var summary: String? {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.place(context.codingPath + [key])) is missing."
        case .valueNotFound(_, let context) where context.codingPath.isEmpty: context.debugDescription
        case .valueNotFound(_, let context): "\(Self.place(context.codingPath)) is null or missing."
        case .typeMismatch(let type, let context): "\(Self.place(context.codingPath)) is not of the type \(type)."
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "The data is not valid."
        case .dataCorrupted(let context): "\(Self.place(context.codingPath)) is not valid."
        @unknown default: nil
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        let names = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
        return names.isEmpty ? "The value" : "The value at \(names.joined(separator: "."))"
    }
}
