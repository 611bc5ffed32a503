import Foundation
import Moya
import MoyaHAR

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A plugin that keeps what a provider asks: for stubs, which reach no transport.
///
///     let asked = RequestLogPlugin()
///     let provider = MoyaProvider<GitHub>(stubClosure: MoyaProvider.immediatelyStub, plugins: [asked])
///     _ = try await provider.request(.zen)
///     try asked.requests.expect(.get("/zen"))
///
/// Put it last, so that it sees what other plugins have made of the request. It knows no answers, and no redirects, cookies and
/// retries either: those are the session's, and a transport sees them (``WatchingTransport``). A body that can be read only
/// once is not seen.
public struct RequestLogPlugin: PluginType {
    /// What was asked.
    public let log: RequestLog

    /// Makes a plugin.
    ///
    /// - Parameter log: Where to keep the requests. Several plugins may share one.
    public init(log: RequestLog = RequestLog()) { self.log = log }

    /// What was asked so far.
    public var requests: [SeenRequest] { log.requests }

    /// Takes note of a request.
    public func willSend(_ request: any RequestType, target: any TargetType) {
        let (sent, body) = (request as? PreparedRequest)?.sent ?? (request.request, nil)
        guard let urlRequest = sent, let url = urlRequest.url else { return }
        var headers = HTTPFields()
        let own = urlRequest.allHTTPHeaderFields ?? [:]
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
        log.note(seen, body: content?.captured(limit: log.bodyLimit))
    }
}

extension HTTPBody {
    /// What can be read without using the body up.
    fileprivate func captured(limit: Int) -> CapturedBody? {
        if let data { return CapturedBody(data, limit: limit) }
        guard isRepeatable, let reader = try? unobserved.open(), reader.isSynchronous else { return nil }
        var captured = CapturedBody(limit: limit)
        while let piece = try? reader.read() { captured.append(piece) }
        return captured
    }
}
