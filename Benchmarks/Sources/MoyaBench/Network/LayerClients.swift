import Foundation
import Moya
import Workloads

/// The client that uses the provider, the subject of the measurements.
struct LayerClient: Sendable {
    let provider: MoyaProvider<BenchTarget>
    let base: URL
    private let queue = DispatchQueue(label: "callbacks")

    init(at base: URL) {
        self.base = base
        provider = MoyaProvider()
    }

    /// Creates a client that accepts the server's self-signed certificate.
    init(trusting base: URL) {
        self.base = base
        let manager = ServerTrustManager(evaluators: ["localhost": DisabledTrustEvaluator()])
        provider = MoyaProvider(session: Session(serverTrustManager: manager))
    }

    func get() async throws { try check(await provider.request(BenchTarget(.user, at: base))) }

    func post() async throws { try check(decoding: await provider.request(BenchTarget(.echo(.sample), at: base))) }

    func getByCallback() async throws { try check(await requestByCallback(BenchTarget(.user, at: base))) }

    func postByCallback() async throws {
        try check(decoding: await requestByCallback(BenchTarget(.echo(.sample), at: base)))
    }

    private func requestByCallback(_ target: BenchTarget) async throws -> Response {
        try await withCheckedThrowingContinuation { waiter in
            provider.request(target, callbackQueue: queue) { waiter.resume(with: $0) }
        }
    }

    private func check(_ response: Response) throws {
        guard response.statusCode == 200, response.data.count == User.json.count else {
            throw BenchFailure("The response is wrong.")
        }
    }

    private func check(decoding response: Response) throws {
        guard try response.map(User.self) == User.sample else { throw BenchFailure("The response is wrong.") }
    }
}

/// The client that uses the session without the provider.
struct SessionClient: Sendable {
    var session = Session()
    let base: URL

    func getDecoding() async throws {
        var request = URLRequest(url: base.appendingPathComponent("user"))
        request.allHTTPHeaderFields = BenchTarget.headers
        let response = try await session.data(for: request)
        guard try JSONDecoder().decode(User.self, from: response.data) == User.sample else {
            throw BenchFailure("The response is wrong.")
        }
    }

    func get() async throws {
        var request = URLRequest(url: base.appendingPathComponent("user"))
        request.allHTTPHeaderFields = BenchTarget.headers
        let response = try await session.data(for: request)
        guard response.statusCode == 200, response.data.count == User.json.count else {
            throw BenchFailure("The response is wrong.")
        }
    }

    func post() async throws {
        var request = URLRequest(url: base.appendingPathComponent("echo"))
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = BenchTarget.headers.merging(["Content-Type": "application/json"]) { $1 }
        request.httpBody = try JSONEncoder().encode(User.sample)
        let response = try await session.data(for: request)
        guard try JSONDecoder().decode(User.self, from: response.data) == User.sample else {
            throw BenchFailure("The response is wrong.")
        }
    }
}

/// The client that uses URLSession without the layer.
struct FoundationClient: Sendable {
    var session = URLSession(configuration: .withDefaultHeaders)
    let base: URL

    func getDecoding() async throws {
        var request = URLRequest(url: base.appendingPathComponent("user"))
        request.allHTTPHeaderFields = BenchTarget.headers
        let (data, _) = try await session.data(for: request)
        guard try JSONDecoder().decode(User.self, from: data) == User.sample else {
            throw BenchFailure("The response is wrong.")
        }
    }

    func get() async throws {
        var request = URLRequest(url: base.appendingPathComponent("user"))
        request.allHTTPHeaderFields = BenchTarget.headers
        let (data, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200, data.count == User.json.count else {
            throw BenchFailure("The response is wrong.")
        }
    }

    func post() async throws {
        var request = URLRequest(url: base.appendingPathComponent("echo"))
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = BenchTarget.headers.merging(["Content-Type": "application/json"]) { $1 }
        request.httpBody = try JSONEncoder().encode(User.sample)
        let (data, _) = try await session.data(for: request)
        guard try JSONDecoder().decode(User.self, from: data) == User.sample else {
            throw BenchFailure("The response is wrong.")
        }
    }
}
