import Foundation
import HTTPTypes

/// The length that a response declares for its body, and the number of bytes that URLSession has delivered.
///
/// URLSession accepts a shorter body in some cases. A body with a content coding is not checked, since URLSession delivers it
/// decoded, and the declared length is the one before decoding.
struct DeclaredLength: Equatable, Sendable {
    private let expected: Int64
    private var received: Int64 = 0

    /// Reads the declared length in a response.
    ///
    /// The result is `nil` if the response has no body, if the length of the body is unknown or another one (RFC 9110, section
    /// 8.6; RFC 9112, section 6.3), and for a redirect, whose body URLSession may leave out.
    init?(_ head: ResponseHead, method: HTTPMethod) {
        let isBodiless = [204, 205].contains(head.status) || [1, 3].contains(head.status / 100)
        guard method != .head, !isBodiless,
            head.headers[values: .contentEncoding].isEmpty, head.headers[values: .transferEncoding].isEmpty
        else { return nil }
        let values = Set(
            head.headers[values: .contentLength].flatMap { value in
                value.split(separator: ",").map { String($0).withoutOptionalWhitespace }
            }
        )
        guard values.count == 1, let value = values.first, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int64(value)
        else { return nil }
        expected = length
    }

    /// Counts bytes of the body.
    mutating func receive(_ count: Int) { received += Int64(count) }

    /// Whether bytes are missing at the end of the response.
    var isTooShort: Bool { received < expected }
}

/// The ``DeclaredLength`` of a task's response.
struct URLSessionBodyLength: Sendable {
    #if canImport(FoundationNetworking)
    /// On Linux, libcurl checks the length.
    private static let isNeeded = false
    #else
    private static let isNeeded = true
    #endif

    private let method: HTTPMethod
    private let length = Locked<DeclaredLength?>(nil)

    init(method: HTTPMethod) { self.method = method }

    /// Records the head of the response, which URLSession may report twice.
    func receivedHead(_ head: ResponseHead) {
        guard Self.isNeeded else { return }
        length.withLock { if $0 == nil { $0 = DeclaredLength(head, method: method) } }
    }

    /// Counts bytes of the body.
    func received(_ count: Int) { length.withLock { $0?.receive(count) } }

    /// Returns an error if the body of a task that has completed is too short; `nil` for a complete body.
    func error(url: URL?) -> URLError? {
        guard length.withLock({ $0?.isTooShort ?? false }) else { return nil }
        return .make(.networkConnectionLost, url: url)
    }
}
