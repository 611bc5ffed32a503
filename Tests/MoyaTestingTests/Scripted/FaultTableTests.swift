import Foundation
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Compares the result of each fault over a real socket with the result of the scripted fault.
@Suite("Scripted faults equal real faults", .timeLimit(.minutes(5)))
struct FaultTableTests {
    @Test(
        "a scripted fault has the result of the real fault, for every fault, entry point and engine",
        arguments: FaultRow.all,
        Engine.allCases
    )
    func fault(_ row: FaultRow, engine: Engine) async throws {
        let folder = try TemporaryFolder()
        try await row.withPlace { url in
            for entryPoint in EntryPoint.allCases {
                let file = folder.file("\(entryPoint)")
                let target = Fetch(url: url, file: entryPoint == .download ? file : nil)
                var (real, scripted) = (Outcome(), Outcome())
                // On a busy machine, an event that should precede the timeout may come too late, so longer timeouts follow.
                for patience in row.isTimed ? [1.0, 2, 4, 8, 16] : [1] {
                    let engine = engine.make()
                    real = await entryPoint.outcome(target, over: engine, row, patience)
                    await engine.shutdown()
                    try? FileManager.default.removeItem(at: file)
                    let script = ScriptedTransport(clock: QuickClock()).next(row.answer)
                    scripted = await entryPoint.outcome(target, over: script, row, patience)
                    try? FileManager.default.removeItem(at: file)
                    #expect(script.unused.isEmpty)
                    if real == scripted { break }
                }
                // The text of a real error contains the names of the host and the certificate, which a script does not know.
                let reasons = ["was rejected", "could not be found", "does not speak TLS"]
                if let text = real.text, reasons.contains(where: { text.contains($0) }) { real.text = scripted.text }
                #expect(real == scripted, "\(row), \(entryPoint)")
                #expect(scripted.code == row.code, "\(row), \(entryPoint): \(scripted)")
                // The bytes of a failed download are in the file, and not in the response.
                if entryPoint != .download {
                    #expect(scripted.bytes == row.bytes, "\(row), \(entryPoint)")
                    #expect((scripted.status != nil) == row.isAnswered, "\(row), \(entryPoint)")
                }
            }
        }
    }

    /// The transport of real requests.
    enum Engine: CaseIterable, Sendable {
        case platform
        case urlSession

        func make() -> any HTTPTransport {
            switch self {
            case .platform: Session().transport
            case .urlSession: URLSessionTransport()
            }
        }
    }

    /// The result that an application gets.
    struct Outcome: Equatable, Sendable {
        /// The case of the `MoyaError`; `nil` for a response.
        var error: String?
        var code: URLError.Code?
        var text: String?
        /// The failing URL in the error.
        var url: URL?
        var status: Int?
        /// The number of received bytes; `nil` if it depends on the timing.
        var bytes: Int?
    }

    /// The ways to send a request.
    enum EntryPoint: CaseIterable, Sendable {
        case request
        case stream
        case download

        /// Returns the outcome of a request; `patience` is the factor for the timeouts of the row.
        func outcome(
            _ target: Fetch,
            over transport: any HTTPTransport,
            _ row: FaultRow,
            _ patience: Double
        ) async -> Outcome {
            let configuration = URLSessionConfiguration.withDefaultHeaders
            configuration.timeoutIntervalForRequest = row.idle.map { $0 * patience } ?? 60
            configuration.timeoutIntervalForResource = row.total.map { $0 * patience } ?? 600
            let provider = MoyaProvider<Fetch>(session: Session(transport: transport, configuration: configuration))
            var outcome = Outcome()
            do throws(MoyaError) {
                switch self {
                case .request, .download:
                    let response = try await provider.request(target)
                    (outcome.status, outcome.bytes) = (response.statusCode, response.data.count)
                case .stream:
                    let response = try await provider.stream(target)
                    outcome.status = response.statusCode
                    outcome.bytes = 0
                    for try await piece in response.body { outcome.bytes? += piece.count }
                }
                if let file = target.file { outcome.bytes = (try? Data(contentsOf: file))?.count }
            } catch {
                outcome.error = Mirror(reflecting: error).children.first?.label
                if case .underlying(let cause, let response) = error {
                    let cause = cause as? URLError
                    (outcome.code, outcome.text) = (cause?.code, cause?.localizedDescription)
                    outcome.url = cause?.userInfo[NSURLErrorFailingURLErrorKey] as? URL
                    if let response { outcome.status = response.statusCode }
                    // The error's response lacks the bytes that a stream has already returned.
                    if let response, self != .stream { outcome.bytes = response.data.count }
                }
            }
            if outcome.bytes == nil { outcome.bytes = 0 }
            if row.bytes == nil { outcome.bytes = nil }
            return outcome
        }
    }

    /// The target of the request.
    struct Fetch: TargetType {
        var url: URL
        /// The destination of a download; `nil` for other requests.
        var file: URL?

        var baseURL: URL { url }
        var path: String { "" }
        var method: Moya.Method { .get }
        var headers: [String: String]? { nil }
        var task: HTTPTask {
            guard let file else { return .requestPlain }
            return .downloadDestination { _, _ in (file, [.removePreviousFile]) }
        }
    }
}
