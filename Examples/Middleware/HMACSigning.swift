import Crypto
import Foundation
import Moya

/// Signs each exchange with a key that the client shares with the server.
///
/// Use it as `exchangeMiddleware`, which is around each exchange: the head and the body are final there, and a request that follows a
/// redirect or answers a challenge gets a new signature.
///
///     Session(exchangeMiddleware: [HMACSigning(keyID: "app", key: SymmetricKey(data: secret))])
public struct HMACSigning: HTTPMiddleware {
    /// The error for a body that can be read only once: the signature would use it up.
    public struct BodyNotRepeatable: Error {}

    private let keyID: String
    private let key: SymmetricKey
    private let now: @Sendable () -> Date

    /// Creates a middleware.
    ///
    /// - Parameters:
    ///   - keyID: The name of the key, for the server.
    ///   - key: The key.
    ///   - now: Returns the time.
    public init(keyID: String, key: SymmetricKey, now: @escaping @Sendable () -> Date = { Date() }) {
        self.keyID = keyID
        self.key = key
        self.now = now
    }

    /// Handles a request.
    public func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        var request = request
        let date = now().formatted(.iso8601)
        let path = request.url.path(percentEncoded: true) + (request.url.query().map { "?\($0)" } ?? "")
        let lines = [request.method.rawValue, path, date, try await bodyHash(of: request)]
        let code = HMAC<Crypto.SHA256>.authenticationCode(for: Data(lines.joined(separator: "\n").utf8), using: key)
        request.headers[.date] = date
        request.headers[.authorization] =
            "HMAC-SHA256 keyId=\"\(keyID)\", signature=\"\(Data(code).base64EncodedString())\""
        return try await next(request)
    }

    /// Returns the hash of the body, read piece by piece, so that a file or form of any size never is in memory as a whole.
    private func bodyHash(of request: TransportRequest) async throws -> String {
        var hash = Crypto.SHA256()
        if let body = request.body {
            guard body.isRepeatable else { throw BodyNotRepeatable() }
            let reader = try body.open()
            while let piece = try await reader.next() { hash.update(data: piece) }
        }
        return hash.finalize().map { String(format: "%02x", $0) }.joined()
    }
}
