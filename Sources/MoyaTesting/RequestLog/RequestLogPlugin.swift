import Foundation
import Moya
import MoyaHAR

/// A plugin that logs a provider's requests, including stubbed ones, which no transport receives.
///
///     let asked = RequestLogPlugin()
///     let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub, plugins: [asked])
///     _ = try await provider.request(.zen)
///     try asked.requests.expect(.get("/zen"))
///
/// Add it as the last plugin, so that it logs the request with the changes of the other plugins. The plugin does not log responses,
/// redirects, cookies and retries; a ``CapturingTransport`` logs them. It does not log bodies that can be read only once.
public struct RequestLogPlugin: PluginType {
    /// The requests.
    public let log: RequestLog

    /// Creates a plugin.
    ///
    /// - Parameter log: The log, which several plugins can share.
    public init(log: RequestLog = RequestLog()) { self.log = log }

    /// The requests so far.
    public var requests: [CapturedRequest] { log.requests }

    /// Logs a request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        let (sent, body) = (request as? PluginRequest)?.sent ?? (request.request, nil)
        guard let urlRequest = sent, let url = urlRequest.url else { return }
        var headers = HTTPFields()
        let own = UniqueFieldNames(urlRequest.allHTTPHeaderFields ?? [:]).fields
        let names = Set(own.keys.map { $0.lowercased() })
        let fromSession = request.sessionHeaders.filter { !names.contains($0.key.lowercased()) }
        for (name, value) in own.merging(fromSession, uniquingKeysWith: { first, _ in first }).sorted(by: <) {
            guard let name = HTTPField.Name(name) else { continue }
            headers.append(HTTPField(name: name, value: value))
        }
        var seen = TransportRequest(
            method: HTTPMethod(rawValue: urlRequest.httpMethod ?? "GET"),
            url: url,
            headers: headers
        )
        seen.target = target
        let content = body ?? urlRequest.httpBody.map { .data($0) }
        log.add(seen, body: content?.captured(limit: log.bodyLimit))
    }
}

extension HTTPBody {
    /// Returns the body, captured up to the limit; `nil` if reading would consume or await it.
    fileprivate func captured(limit: Int) -> CapturedBody? {
        if let data { return CapturedBody(data, limit: limit) }
        guard isRepeatable, let reader = try? withoutObservers.open(), reader.isSynchronous else { return nil }
        var captured = CapturedBody(limit: limit)
        while let piece = try? reader.nextBlocking() { captured.append(piece) }
        return captured
    }
}
