import Foundation
import Moya

/// The providers of the steps, one for each feature, with a shared session.
struct DemoProviders: Sendable {
    /// Sends requests without additional features.
    let github: MoyaProvider<GitHub>
    /// Adds the token to targets that require it.
    let authorized: MoyaProvider<GitHub>
    /// Responds with stubs.
    let stubbed: MoyaProvider<GitHub>
    /// Accepts targets of any type.
    let multi: MoyaProvider<MultiTarget>
    /// Records when it sends a request.
    let slow: MoyaProvider<GitHub>
    /// Has a session with a cache.
    let cached: MoyaProvider<GitHub>
    /// Streams responses.
    let streaming: MoyaProvider<GitHub>
    /// Sends forms.
    let uploads: MoyaProvider<Bytes>
    /// Downloads to files.
    let downloads: MoyaProvider<Bytes>
    /// Is not logged in the transcript.
    let silent: MoyaProvider<GitHub>

    /// Creates the providers; the `options` are those of the session.
    init(server: ServerInUse, session: Session, options: SessionOptions, transcript: Transcript) {
        let baseURL = server.baseURL
        let log = TranscriptPlugin(transcript)
        github = MoyaProvider(endpointClosure: MoyaProvider.endpoints(at: baseURL), session: session, plugins: [log])
        authorized = MoyaProvider(
            endpointClosure: MoyaProvider.endpoints(at: baseURL),
            session: session,
            plugins: [AccessTokenPlugin { _ in DemoData.token }, log]
        )
        stubbed = MoyaProvider(
            endpointClosure: MoyaProvider.endpoints(at: baseURL),
            stubClosure: MoyaProvider.immediatelyStub,
            session: Session(transport: NoNetwork()),
            plugins: [TranscriptPlugin(transcript, note: "a stub, nothing was sent")]
        )
        multi = MoyaProvider(endpointClosure: MoyaProvider.endpoints(at: baseURL), session: session, plugins: [log])
        slow = MoyaProvider(
            endpointClosure: MoyaProvider.endpoints(at: baseURL),
            session: session,
            plugins: [log, SlowRequestPlugin(slowRequests: server.slowRequests)]
        )
        cached = MoyaProvider(
            endpointClosure: MoyaProvider.endpoints(at: baseURL),
            session: Session(transport: session.transport, cache: .memory(), options: options),
            plugins: [log]
        )
        streaming = MoyaProvider(
            endpointClosure: MoyaProvider.endpoints(at: baseURL),
            session: session,
            plugins: [TranscriptPlugin(transcript, note: "its body is read as it comes")]
        )
        uploads = MoyaProvider(endpointClosure: MoyaProvider.endpoints(at: baseURL), session: session, plugins: [log])
        downloads = MoyaProvider(
            endpointClosure: MoyaProvider.endpoints(at: baseURL),
            session: session,
            plugins: [TranscriptPlugin(transcript, note: "the body is in the file")]
        )
        silent = MoyaProvider(endpointClosure: MoyaProvider.endpoints(at: baseURL), session: session)
    }
}

/// Records when a request is about to be sent.
struct SlowRequestPlugin: PluginType {
    let slowRequests: SlowRequests

    func willSend(_ request: any RequestType, target: any TargetType) { slowRequests.record(.sent) }
}

/// A transport that always fails, to prove that no request is sent.
struct NoNetwork: HTTPTransport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw URLError(.notConnectedToInternet)
    }

    func shutdown() async {}
}
