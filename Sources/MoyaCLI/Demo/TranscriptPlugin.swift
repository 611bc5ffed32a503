import Foundation
import Moya

/// Writes the requests and results of a provider to a transcript; requests must be sequential.
final class TranscriptPlugin: PluginType {
    private let transcript: Transcript
    private let note: String?
    private let start = Locked<ContinuousClock.Instant?>(nil)

    /// Creates a plugin; `note` is added to each response.
    init(_ transcript: Transcript, note: String? = nil) {
        self.transcript = transcript
        self.note = note
    }

    func willSend(_ request: any RequestType, target: any TargetType) {
        if let request = request.request { transcript.writeRequest(request) }
        start.withLock { $0 = .now }
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        let time = start.withLock { start in
            defer { start = nil }
            return start.map { .now - $0 }
        }
        transcript.writeResult(result, after: time, note: note)
    }
}
