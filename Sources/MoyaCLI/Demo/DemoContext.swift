import Moya

/// The values that a step can use.
struct DemoContext: Sendable {
    let providers: DemoProviders
    let server: ServerInUse
    let transcript: Transcript
    let fileLength: ByteCount
}
