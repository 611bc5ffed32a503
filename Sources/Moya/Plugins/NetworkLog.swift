import Foundation

/// Creates the items that a ``NetworkLoggerPlugin`` logs.
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

    /// Passes the items of a request to a function.
    ///
    /// It is called at once, or for a `curl` command that a request of the application writes, when that is written.
    func items(of request: any RequestType, _ receive: @escaping ([String]) -> Void) {
        guard let urlRequest = request.request, let url = urlRequest.url else {
            return receive([entry("Request", "(invalid request)")])
        }
        var headers = HTTPHeaders(request.sessionHeaders)
        for header in HTTPHeaders(urlRequest.allHTTPHeaderFields ?? [:]) { headers.update(header) }
        let scrubber = scrubber(for: urlRequest, headers)
        if options.contains(.formatRequestAscURL) {
            let receiveCommand = { command in receive([entry("Request", scrubber.scrubbing(command))]) }
            switch request {
            case let request as PreparedRequest:
                receiveCommand(request.curlText(mask: mask))
            case is Request:
                receiveCommand(CURLCommand.text(for: urlRequest, sessionHeaders: request.sessionHeaders, mask: mask))
            default:
                request.cURLDescription(calling: receiveCommand)
            }
            return
        }
        var items = [entry("Request", scrubber.scrubbing(url: mask.text(of: url)))]
        if options.contains(.requestHeaders) {
            items.append(entry("Request Headers", text(of: headers, scrubber)))
        }
        if options.contains(.requestBody) {
            if let stream = urlRequest.httpBodyStream {
                items.append(entry("Request Body Stream", "\(stream)"))
            }
            if let body = urlRequest.httpBody {
                items.append(
                    entry(
                        "Request Body",
                        configuration.formatter.requestData(
                            scrubber.scrubbing(mask.body(body, contentType: headers["Content-Type"]))
                        )
                    )
                )
            }
        }
        if options.contains(.requestMethod), let method = urlRequest.httpMethod {
            items.append(entry("HTTP Request Method", method))
        }
        receive(items)
    }

    /// Formats headers like a dictionary's description, but sorted.
    private func text(of headers: HTTPHeaders, _ scrubber: SecretScrubber) -> String {
        let pairs = headers.sorted().map { header in
            let value = scrubber.scrubbing(mask.value(header.value, ofHeader: header.name), ofHeader: header.name)
            return "\(header.name.debugDescription): \(value.debugDescription)"
        }
        return pairs.isEmpty ? "[:]" : "[\(pairs.joined(separator: ", "))]"
    }

    /// Returns a scrubber that removes values masked in one item from all others.
    private func scrubber(
        for request: URLRequest?,
        _ headers: HTTPHeaders,
        response: HTTPURLResponse? = nil,
        _ data: Data = Data()
    ) -> SecretScrubber {
        let found = FoundSecrets()
        for header in headers { _ = mask.value(header.value, ofHeader: header.name, found: found) }
        if let url = request?.url { _ = mask.text(of: url, found: found) }
        if let body = request?.httpBody { _ = mask.body(body, contentType: headers["Content-Type"], found: found) }
        for header in response?.headers ?? [] { _ = mask.value(header.value, ofHeader: header.name, found: found) }
        _ = mask.body(data, contentType: response?.headers["Content-Type"], found: found)
        return SecretScrubber(found)
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
        let scrubber = scrubber(
            for: response.request,
            response.request?.headers ?? [],
            response: response.response,
            response.data
        )
        let head =
            response.response.map { text(of: $0, scrubber) } ?? "Received empty network response for \(targetText)."
        let items = [entry("Response", head)]
        guard showsBody else { return items }
        let body = mask.body(response.data, contentType: response.response?.headers["Content-Type"])
        return items + [entry("Response Body", configuration.formatter.responseData(scrubber.scrubbing(body)))]
    }

    /// Returns the response's description with secrets masked.
    private func text(of response: HTTPURLResponse, _ scrubber: SecretScrubber) -> String {
        if options.contains(.secrets) { return response.description }
        let headers = response.headers.map { header in
            (header.name, scrubber.scrubbing(mask.value(header.value, ofHeader: header.name), ofHeader: header.name))
        }
        let masked = response.url.flatMap { URL(string: scrubber.scrubbing(url: mask.text(of: $0))) }.flatMap { url in
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

    /// The target's description if it does not reveal the payload; otherwise its case or type.
    private var targetText: String {
        if options.contains(.secrets) { return "\(target)" }
        let target = target.innermost
        // The application provides the description for people to read.
        if target is any CustomStringConvertible || target is any CustomDebugStringConvertible { return "\(target)" }
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum, !(target is any CustomReflectable) else { return "\(type(of: target))" }
        return mirror.children.first?.label.map { "\($0)(\(SecretMask.placeholder))" } ?? "\(target)"
    }
}
