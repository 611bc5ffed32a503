import Foundation
import Moya

/// Writes what a provider sends and gets into a transcript. Requests must come one after the other, as the steps do.
final class TranscriptPlugin: PluginType {
    private let transcript: Transcript
    private let note: String?
    private let start = Locked<ContinuousClock.Instant?>(nil)

    /// - Parameter note: What there is to say about every answer.
    init(_ transcript: Transcript, note: String? = nil) {
        self.transcript = transcript
        self.note = note
    }

    func willSend(_ request: any RequestType, target: any TargetType) {
        if let request = request.request { transcript.sent(request) }
        start.withLock { $0 = .now }
    }

    func didReceive(_ result: Result<Response, MoyaError>, target: any TargetType) {
        let time = start.withLock { start in
            defer { start = nil }
            return start.map { .now - $0 }
        }
        transcript.received(result, after: time, note: note)
    }
}
