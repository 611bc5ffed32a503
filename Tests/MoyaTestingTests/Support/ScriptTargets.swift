import Foundation
import MoyaTesting
import Testing

/// A target that is Equatable.
enum Shop: TargetType, Equatable {
    case list
    case item(Int)
    case login(password: String)
    case add(Item)
    case stocked(at: URL)

    struct Item: Codable, Equatable, Sendable {
        var name: String
    }

    var baseURL: URL {
        switch self {
        case .stocked(let url): url
        default: URL(string: "https://shop.example.com/v1") ?? URL(fileURLWithPath: "/")
        }
    }
    var path: String {
        switch self {
        case .list, .add: "/items"
        case .item(let number): "/items/\(number)"
        case .login: "/login"
        case .stocked: ""
        }
    }
    var method: Moya.Method {
        switch self {
        case .list, .item, .stocked: .get
        case .login, .add: .post
        }
    }
    var task: HTTPTask {
        switch self {
        case .list, .item, .stocked: .requestPlain
        case .login(let password):
            .requestParameters(parameters: ["password": password], encoding: URLEncoding.queryString)
        case .add(let item): .requestJSONEncodable(item)
        }
    }
    var headers: [String: String]? { nil }
    var validationType: ValidationType { .successCodes }
}

/// A target that is not Equatable.
struct Search: TargetType {
    var words: String
    var then: @Sendable () -> Void = {}

    var baseURL: URL { URL(string: "https://search.example.com") ?? URL(fileURLWithPath: "/") }
    var path: String { "/find" }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestParameters(parameters: ["q": words], encoding: URLEncoding.default) }
    var headers: [String: String]? { nil }
}

/// A target that does not equal itself, like a target of `@API` with a closure.
enum Archive: TargetType, Equatable {
    case file(Int, save: @Sendable (Data) -> Void)

    static func == (lhs: Archive, rhs: Archive) -> Bool { false }

    var baseURL: URL { URL(string: "https://archive.example.com") ?? URL(fileURLWithPath: "/") }
    var path: String {
        switch self {
        case .file(let number, _): "/files/\(number)"
        }
    }
    var method: Moya.Method { .get }
    var task: HTTPTask { .requestPlain }
    var headers: [String: String]? { nil }
}

extension MoyaProvider {
    /// A provider with a scripted transport.
    convenience init(_ transport: ScriptedTransport, interceptor: (any RequestInterceptor)? = nil) {
        self.init(
            session: Session(
                transport: transport,
                interceptor: interceptor,
                options: SessionOptions(clock: QuickClock())
            )
        )
    }

    /// Returns the error of a request for the target; `nil` if it succeeds.
    func error(_ target: Target) async -> (any Error)? {
        do throws(MoyaError) {
            _ = try await request(target)
            return nil
        } catch {
            return error.cause
        }
    }
}

extension MoyaError {
    /// The error in `underlying`; other errors unchanged.
    var cause: any Error {
        if case .underlying(let error, _) = self { error } else { self }
    }
}

/// A clock whose waits end immediately and are recorded.
final class QuickClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private let state = Locked((now: Duration.zero, waits: [Duration]()))
    /// Whether waits advance the time.
    private let moves: Bool

    init(moves: Bool = true) { self.moves = moves }

    /// The recorded waits.
    var waits: [Duration] { state.withLock { $0.waits } }
    var now: Instant { Instant(offset: state.withLock { $0.now }) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.waits.append(deadline.offset - state.now)
            if moves { state.now = max(state.now, deadline.offset) }
        }
    }
}
