import Foundation

/// Makes the items that a ``NetworkLoggerPlugin`` puts out.
struct NetworkLog {
    let configuration: NetworkLoggerPlugin.Configuration
    private let target: any TargetType
    private let mask: SecretMask
    private var options: NetworkLoggerPlugin.Configuration.LogOptions { configuration.logOptions }

    init(configuration: NetworkLoggerPlugin.Configuration, target: any TargetType) {
        self.configuration = configuration
        self.target = target
        mask = configuration.logOptions.contains(.secrets) ? .none : SecretMask(names: configuration.secretNames)
    }

    // MARK: Requests

    func items(of request: any RequestType) -> [String] {
        guard let urlRequest = request.request, let url = urlRequest.url else {
            return [entry("Request", "(invalid request)")]
        }
        if options.contains(.formatRequestAscURL) {
            let command =
                (request as? PreparedRequest)?.curlText(mask: mask)
                ?? CURLCommand.text(for: urlRequest, sessionHeaders: request.sessionHeaders, mask: mask)
            return [entry("Request", command)]
        }
        var items = [entry("Request", mask.text(of: url))]
        var headers = HTTPHeaders(request.sessionHeaders)
        for header in HTTPHeaders(urlRequest.allHTTPHeaderFields ?? [:]) { headers.update(header) }
        if options.contains(.requestHeaders) {
            items.append(entry("Request Headers", text(of: headers)))
        }
        if options.contains(.requestBody) {
            if let stream = urlRequest.httpBodyStream {
                items.append(entry("Request Body Stream", "\(stream)"))
            }
            if let body = urlRequest.httpBody {
                items.append(
                    entry(
                        "Request Body",
                        configuration.formatter.requestData(mask.body(body, contentType: headers["Content-Type"]))
                    )
                )
            }
        }
        if options.contains(.requestMethod), let method = urlRequest.httpMethod {
            items.append(entry("HTTP Request Method", method))
        }
        return items
    }

    /// As a dictionary describes itself, but in order.
    private func text(of headers: HTTPHeaders) -> String {
        let pairs = headers.sorted().map { header in
            "\(header.name.debugDescription): \(mask.value(header.value, ofHeader: header.name).debugDescription)"
        }
        return pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
    }

    // MARK: Results

    func items(of result: Result<Response, MoyaError>) -> [String] {
        switch result {
        case .success(let response):
            return items(of: response, showsBody: options.contains(.successResponseBody))
        case .failure(let error):
            guard let response = error.response else {
                let text = mask.maskingQueries(in: "\(error)")
                return [entry("Error", "Error calling \(targetText) : \(text)")]
            }
            return items(
                of: response,
                showsBody: !options.isDisjoint(with: [.successResponseBody, .errorResponseBody])
            )
        }
    }

    private func items(of response: Response, showsBody: Bool) -> [String] {
        let head = response.response.map(text) ?? "Received empty network response for \(targetText)."
        let items = [entry("Response", head)]
        return showsBody ? items + [entry("Response Body", configuration.formatter.responseData(response.data))] : items
    }

    /// The response's description, with secrets masked.
    private func text(of response: HTTPURLResponse) -> String {
        if options.contains(.secrets) { return response.description }
        let headers = response.headers.map { ($0.name, mask.value($0.value, ofHeader: $0.name)) }
        let masked = response.url.flatMap { URL(string: mask.text(of: $0)) }.flatMap { url in
            HTTPURLResponse(
                url: url,
                statusCode: response.statusCode,
                httpVersion: nil,
                headerFields: Dictionary(headers, uniquingKeysWith: { first, _ in first })
            )
        }
        return masked?.description ?? "Status Code: \(response.statusCode)"
    }

    // MARK: Texts

    private func entry(_ identifier: String, _ message: String) -> String {
        configuration.formatter.entry(identifier, message, target)
    }

    /// The target's description, unless that would show what is inside: then its case or type.
    private var targetText: String {
        if options.contains(.secrets) { return "\(target)" }
        let target = target.innermost
        // Written by the application, for people to read.
        if target is any CustomStringConvertible || target is any CustomDebugStringConvertible { return "\(target)" }
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum, !(target is any CustomReflectable) else { return "\(type(of: target))" }
        return mirror.children.first?.label.map { "\($0)(\(SecretMask.placeholder))" } ?? "\(target)"
    }
}
