import Foundation
import Moya
import Testing

@Suite("PluginType and RequestType have the interface of the contract")
struct PluginTests {
    final class Recorder: PluginType, @unchecked Sendable {
        private(set) var calls: [String] = []

        func prepare(_ request: URLRequest, target: TargetType) -> URLRequest {
            calls.append("prepare \(target.path)")
            var request = request
            request.addValue("1", forHTTPHeaderField: "Recorded")
            return request
        }

        func willSend(_ request: RequestType, target: TargetType) {
            let sent: URLRequest? = request.request
            let headers: [String: String] = request.sessionHeaders
            calls.append(
                "willSend \(sent?.value(forHTTPHeaderField: "Recorded") ?? "") \(headers["User-Agent"] != nil)"
            )
            let credential = URLCredential(user: "u", password: "p", persistence: .none)
            _ = request.authenticate(with: credential)
            _ = request.authenticate(username: "u", password: "p", persistence: .forSession)
            _ = request.cURLDescription { self.calls.append(String($0.prefix(4))) }
        }

        func didReceive(_ result: Result<Moya.Response, MoyaError>, target: TargetType) {
            calls.append("didReceive \((try? result.get().statusCode) ?? 0)")
        }

        func process(
            _ result: Result<Moya.Response, MoyaError>,
            target: TargetType
        ) -> Result<Moya.Response, MoyaError> {
            calls.append("process")
            return .success(Response(statusCode: -1, data: Data()))
        }
    }

    /// A plugin without hooks, which compiles because all hooks have defaults.
    struct Nothing: PluginType {}

    @Test("PluginType declares four hooks")
    func hooks() throws {
        let recorder = Recorder()
        let provider = MoyaProvider<Shop>(stubClosure: MoyaProvider.immediatelyStub, plugins: [recorder, Nothing()])
        var status: Int?
        provider.request(.list) { status = try? $0.get().statusCode }
        #expect(status == -1)
        #expect(recorder.calls == ["prepare items", "willSend 1 true", "$ cu", "didReceive 200", "process"])
    }

    @Test("a session's Request is a RequestType")
    func request() {
        let request: RequestType = Session.default.request(Shop.request)
        #expect(request.request == Shop.request)
        #expect(request.sessionHeaders["User-Agent"] != nil)
    }

    /// A request that an application passes to a plugin in a test.
    struct FakeRequest: RequestType {
        var request: URLRequest?
        var sessionHeaders: [String: String]
        func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> FakeRequest {
            return self
        }
        func authenticate(with credential: URLCredential) -> FakeRequest { return self }
        func cURLDescription(calling handler: @escaping (String) -> Void) -> FakeRequest {
            handler("$ curl")
            return self
        }
    }

    /// A request that passes its cURL command to the handler later, like Alamofire's request.
    final class LateRequest: RequestType {
        let request: URLRequest? = Shop.request
        let sessionHeaders = ["A": "b"]
        private let lock = NSLock()
        private var handlers: [(String) -> Void] = []

        func authenticate(username: String, password: String, persistence: URLCredential.Persistence) -> Self {
            return self
        }
        func authenticate(with credential: URLCredential) -> Self { return self }
        func cURLDescription(calling handler: @escaping (String) -> Void) -> Self {
            lock.lock()
            defer { lock.unlock() }
            handlers.append(handler)
            return self
        }

        func write() {
            lock.lock()
            let waiting = handlers
            lock.unlock()
            waiting.forEach { $0("$ curl of its own") }
        }
    }

    @Test("a logger logs the cURL command of a request type that the application declares, immediately or later")
    func ownCommand() {
        let log = Log()
        let logger = NetworkLoggerPlugin(
            configuration: .init(
                formatter: .init(entry: { identifier, message, _ in "\(identifier): \(message)" }),
                output: { _, items in log.add(items) },
                logOptions: .formatRequestAscURL
            )
        )
        logger.willSend(FakeRequest(request: Shop.request, sessionHeaders: [:]), target: Shop.list)
        #expect(log.items == [["Request: $ curl"]])
        let late = LateRequest()
        logger.willSend(late, target: Shop.list)
        #expect(log.items.count == 1)
        late.write()
        #expect(log.items == [["Request: $ curl"], ["Request: $ curl of its own"]])
    }

    final class Log {
        private(set) var items: [[String]] = []
        func add(_ new: [String]) { items.append(new) }
    }

    @Test("an application can pass a RequestType to a plugin")
    func fake() {
        let recorder = Recorder()
        recorder.willSend(FakeRequest(request: nil, sessionHeaders: [:]), target: Shop.list)
        #expect(recorder.calls == ["willSend  false", "$ cu"])
    }
}
