import Foundation
import Moya

/// The providers that the steps use: one for each thing there is to show, over one session.
struct DemoProviders: Sendable {
    /// Sends what it is asked to send.
    let github: MoyaProvider<GitHub>
    /// Adds the token to targets that want one.
    let authorized: MoyaProvider<GitHub>
    /// Answers everything itself.
    let stubbed: MoyaProvider<GitHub>
    /// Takes targets of any type.
    let multi: MoyaProvider<MultiTarget>
    /// Tells when it sends.
    let slow: MoyaProvider<GitHub>
    /// Hands over answers before their bodies have come.
    let streaming: MoyaProvider<GitHub>
    /// Takes forms.
    let uploads: MoyaProvider<Bytes>
    /// Puts answers into files.
    let downloads: MoyaProvider<Bytes>
    /// Leaves no trace in the transcript.
    let silent: MoyaProvider<GitHub>

    init(server: ServerInUse, session: Session, transcript: Transcript) {
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
