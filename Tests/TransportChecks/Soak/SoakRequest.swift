import Foundation
import MoyaHTTP
import TestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request of a soak test, created from the seed and its number.
struct SoakRequest: Sendable {
    let id: Int
    let isPOST: Bool
    let isStreamed: Bool
    /// The milliseconds before it is cancelled; `nil` if it is not.
    let cancellation: Int?
    let timeout: Duration
    let bodySize: Int

    init(_ id: Int, mayStall: Bool, using random: inout SeededGenerator) {
        self.id = id
        isPOST = random.below(5) < 2
        isStreamed = random.oneIn(3)
        cancellation = random.oneIn(10) ? random.below(20) : nil
        timeout =
            mayStall
            ? .milliseconds(20 + random.below(60))
            : random.oneIn(20) ? .milliseconds(1 + random.below(20)) : .seconds(20)
        bodySize = random.oneIn(10) ? 20_000 : random.below(200)
    }

    /// Sends the request, cancels it at its time, and returns its end as text with the response's body if there is one.
    func send(to url: URL, over session: Session) async -> (label: String, body: Data?) {
        guard let cancellation else { return await outcome(url, session) }
        let task = Task { await outcome(url, session) }
        try? await Task.sleep(for: .milliseconds(cancellation))
        task.cancel()
        return await task.value
    }

    private func outcome(_ url: URL, _ session: Session) async -> (label: String, body: Data?) {
        var request = URLRequest(url: url)
        request.httpMethod = isPOST ? "POST" : "GET"
        request.timeoutInterval = timeout / .seconds(1)
        let upload = isPOST ? HTTPBody.data(Data(repeating: UInt8(ascii: "b"), count: bodySize)) : nil
        do {
            guard isStreamed else {
                let response = try await session.data(for: request, body: upload)
                return ("\(response.statusCode)", response.data)
            }
            let (response, stream) = try await session.stream(for: request, body: upload)
            var body = Data()
            for try await piece in stream { body.append(piece) }
            return ("\(response.statusCode)", body)
        } catch {
            return ((error as? URLError).map { "URLError \($0.code.rawValue)" } ?? error.summary, nil)
        }
    }
}

/// Reports when the requests of a session are on a connection.
struct ConnectionWatch: HTTPTransport {
    let base: any HTTPTransport
    let isOnConnection: @Sendable (URL) -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        let tell = request.onConnect
        let url = request.url
        request.onConnect = {
            isOnConnection(url)
            tell?()
        }
        return try await base.send(request)
    }

    func shutdown() async { await base.shutdown() }
}
