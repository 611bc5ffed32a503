import Foundation

/// Creates the items that a ``NetworkLoggerPlugin`` logs.
struct NetworkLog {
    /// The label of the item that is being formatted, for the default formatter, which has no parameter for it.
    @TaskLocal static var label: [String] = []

    let configuration: NetworkLoggerPlugin.Configuration
    /// The number, the attempt and the duration of the request.
    var label: [String] = []
    private let target: any TargetType
    private let mask: SecretMask
    private var options: NetworkLoggerPlugin.Configuration.LogOptions { configuration.logOptions }

    init(configuration: NetworkLoggerPlugin.Configuration, target: any TargetType) {
        self.configuration = configuration
        self.target = target
        mask = configuration.logOptions.contains(.secrets) ? .none : SecretMask(names: configuration.secretNames)
    }

    // MARK: Requests

    /// Returns the method and the URL of a request; `nil` if it is invalid.
    func line(of request: URLRequest?) -> String? {
        request?.summary(mask)
    }

    /// Returns the reason why a request is sent again, in one line; `nil` for its first attempt.
    func retryReason(of request: any RequestType) -> String? {
        switch (request as? PluginRequest)?.retriedOutcome {
        case nil: return nil
        case .response(let status, _)?: return "status \(status)"
        case .failure(let error)?:
            let text = mask.maskingQueries(in: error.localizedDescription).split(whereSeparator: \.isWhitespace)
            return "\"\(text.joined(separator: " ").prefix(200))\""
        }
    }

    /// Passes the items of a request to a function.
    ///
    /// The function is called before this method returns, unless a request of the application writes its `curl` command later.
    func items(of request: any RequestType, _ receive: @escaping ([String]) -> Void) {
        guard let urlRequest = request.request, let url = urlRequest.url else {
            return receive([entry("Request", "(invalid request)")])
        }
        var headers = HTTPHeaders(request.sessionHeaders)
        for header in HTTPHeaders(urlRequest.allHTTPHeaderFields ?? [:]) { headers.update(header) }
        let scrubber = SecretScrubber(mask, request: urlRequest, requestHeaders: headers)
        if options.contains(.oneLine), let line = line(of: urlRequest) {
            return receive([entry("Request", scrubber.scrubbing(line))])
        }
        if options.contains(.formatRequestAscURL) {
            let receiveCommand = { command in receive([entry("Request", scrubber.scrubbing(command))]) }
            switch request {
            case let request as PluginRequest:
                receiveCommand(request.curlText(mask: mask))
            case let request as Request:
                receiveCommand(request.curlText(mask: mask))
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

    // MARK: Results

    /// Returns the items of a result; `line` is the line of the request, if it was sent.
    func items(of result: Result<Response, MoyaError>, to line: String?) -> [String] {
        if options.contains(.oneLine) { return [oneLine(of: result, to: line)] }
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

    private func oneLine(of result: Result<Response, MoyaError>, to line: String?) -> String {
        let response: Response
        switch result {
        case .success(let success):
            response = success
        case .failure(let error):
            guard let refused = error.response else {
                let text = mask.maskingQueries(in: error.causeDescription)
                return entry("Error", [text, line].compactMap { $0 }.joined(separator: " "))
            }
            response = refused
        }
        let request = (self.line(of: response.request) ?? line).map { scrubber(for: response).scrubbing($0) }
        let parts: [String?] = ["\(response.statusCode)", "\(response.data.count) bytes", request]
        return entry("Response", parts.compactMap { $0 }.joined(separator: ", "))
    }

    private func scrubber(for response: Response) -> SecretScrubber {
        SecretScrubber(
            mask,
            request: response.request,
            requestHeaders: response.request?.headers ?? [],
            responseHeaders: response.response?.headers ?? [],
            data: response.data
        )
    }

    private func items(of response: Response, showsBody: Bool) -> [String] {
        let scrubber = scrubber(for: response)
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
        Self.$label.withValue(label) { configuration.formatter.entry(identifier, message, target) }
    }

    /// The target's description if it does not reveal the payload; otherwise the target's case or type.
    private var targetText: String {
        if options.contains(.secrets) { return "\(target)" }
        let target = target.innermost
        // An application writes such a description for people to read, so it is logged.
        if target is any CustomStringConvertible || target is any CustomDebugStringConvertible { return "\(target)" }
        let mirror = Mirror(reflecting: target)
        guard mirror.displayStyle == .enum, !(target is any CustomReflectable) else { return "\(type(of: target))" }
        return mirror.children.first?.label.map { "\($0)(\(SecretMask.placeholder))" } ?? "\(target)"
    }
}
