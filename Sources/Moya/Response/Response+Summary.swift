import Foundation

extension URLRequest {
    /// Returns the method and the URL, with secrets masked; `nil` if the request has no URL.
    func summary(_ mask: SecretMask = .standard) -> String? {
        url.map { "\(httpMethod ?? "GET") \(mask.text(of: $0))" }
    }
}

// These texts describe responses to people. Secrets are masked.
extension Response {
    /// A text about a status that is not accepted: the request, the reason why the body is not the expected error, and the
    /// beginning of the body.
    var refusal: String {
        let status =
            request?.summary().map { "\($0) returned the status code \(statusCode), which is not accepted." }
            ?? "The status code \(statusCode) is not accepted."
        return [status, mappingProblem, bodyStart.map { "Body: \($0)" }].compactMap { $0 }.joined(separator: " ")
    }

    /// Returns a sentence about the response after the method, the URL, the status and the content type.
    ///
    /// A response whose request is unknown, such as one that an application has created, is not described.
    func describing(_ sentence: String) -> String {
        guard let summary = request?.summary() else { return sentence }
        let facts = ["\(statusCode)", headers["Content-Type"]].compactMap { $0 }.joined(separator: ", ")
        return "\(summary) (\(facts)): \(sentence)"
    }

    /// Returns a sentence about an unexpected body, with the beginning of the body.
    func describingBody(_ sentence: String) -> String {
        guard request?.url != nil else { return sentence }
        return describing(bodyStart.map { "\(sentence) Body: \($0)" } ?? sentence)
    }

    /// The beginning of a body of text, in one line; `nil` for other bodies.
    private var bodyStart: String? {
        // The text shows 200 characters, so masking the whole body would waste time. The mask also covers a value that the limit
        // cuts off.
        let length = 2_048
        let masked = maskedBody(prefix: length)
        guard !masked.contains(0) else { return nil }
        let text = String(decoding: masked, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { return nil }
        return text.count > 200 || data.count > length ? "\(text.prefix(200))…" : text
    }

    /// Returns the body, or its first bytes, with secrets masked.
    func maskedBody(prefix length: Int = .max) -> Data {
        let data = data.prefix(length)
        let mask = SecretMask.standard
        let scrubber = SecretScrubber(
            mask,
            request: request,
            requestHeaders: request?.headers ?? [],
            responseHeaders: headers,
            data: data
        )
        return scrubber.scrubbing(mask.body(data, contentType: headers["Content-Type"]))
    }
}
