import Moya

/// What a step has at hand.
struct DemoContext: Sendable {
    let providers: DemoProviders
    let server: ServerInUse
    let transcript: Transcript
    let fileLength: ByteCount
}
