import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("The file and the number of requests of a download are available")
struct DownloadedFileTests {
    private static let content = Data("0123456789".utf8)

    /// Returns a transport that breaks off a number of times, and supports range requests.
    private static func server(breaks: Int) -> FakeTransport {
        let count = Locked(0)
        return FakeTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let start = request.headers[.range].flatMap { Int($0.drop { !$0.isNumber }.prefix { $0.isNumber }) } ?? 0
            let rest = content.dropFirst(start)
            var headers: HTTPFields = [.eTag: "\"a\"", .contentLength: "\(rest.count)", .acceptRanges: "bytes"]
            if start > 0 { headers[.contentRange] = "bytes \(start)-9/10" }
            let isBroken = number <= breaks
            let text = String(decoding: isBroken ? rest.prefix(2) : rest, as: UTF8.self)
            return TransportResponse(
                status: start > 0 ? 206 : 200,
                headers: headers,
                body: BodySource.body([text], then: isBroken ? .error(.networkConnectionLost) : .regular)
            )
        }
    }

    @Test("the response of a download has the file and no data, and other responses and stubs have no file")
    func file() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        let provider = MoyaProvider<TaskTarget>(session: Session(Self.server(breaks: 0)))
        let target = TaskTarget(method: .get, task: .download(to: file))
        let response = try await provider.request(target)
        #expect(response.downloadedFile == file && response.data.isEmpty)
        #expect(try Data(contentsOf: file) == Self.content)
        let data = try await provider.request(TaskTarget(method: .get, task: .requestPlain))
        #expect(data.downloadedFile == nil)
        let stub = MoyaProvider<TaskTarget>(stubClosure: MoyaProvider.immediatelyStub)
        #expect(try await stub.request(target).downloadedFile == nil)
    }

    @Test("a download with a status that is not accepted has no file")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        let provider = MoyaProvider<TaskTarget>(session: Session(FakeTransport.body("no", status: 404)))
        var target = TaskTarget(method: .get, task: .download(to: file))
        target.validationType = .successCodes
        do {
            _ = try await provider.request(target)
            Issue.record("no error")
        } catch {
            #expect(error.response?.downloadedFile == nil && error.response?.data == Data("no".utf8))
        }
    }

    @Test("the logger's line counts the requests of a resumed download", arguments: [0, 1, 3])
    func logged(_ breaks: Int) async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        let items = Recorder<String>()
        let logger = NetworkLoggerPlugin(
            configuration: .init(output: { _, lines in lines.forEach { items.add($0) } }, logOptions: .oneLine)
        )
        let provider = MoyaProvider<TaskTarget>(session: Session(Self.server(breaks: breaks)), plugins: [logger])
        let task = HTTPTask.download(to: file, options: .resumesWhenInterrupted)
        let response = try await provider.request(TaskTarget(method: .get, task: task))
        #expect(response.downloadedFile == file)
        #expect(try Data(contentsOf: file) == Self.content)
        let result = try #require(items.values.last)
        #expect(result.contains(", \(breaks + 1) requests]") == (breaks > 0), "\(result)")
        #expect(result.contains("requests") == (breaks > 0))
    }

    @Test("a download may have parameters, in the query or the body")
    func parameters() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("file")
        let requests = Recorder<(HTTPMethod, String?, Data)>()
        let transport = FakeTransport.reading { request, body in
            requests.add((request.method, request.url.query, body))
            return TransportResponse(status: 200, body: .complete(Data("x".utf8)))
        }
        let provider = MoyaProvider<TaskTarget>(session: Session(transport))
        let tasks: [(Moya.Method, HTTPTask)] = [
            (.get, .download(to: file, parameters: ["a": 1])),
            (
                .post,
                .download(to: file, options: .removePreviousFile, parameters: ["a": 1], encoding: JSONEncoding.default)
            ),
        ]
        for (method, task) in tasks {
            let response = try await provider.request(TaskTarget(method: method, task: task))
            #expect(response.downloadedFile == file)
        }
        #expect(requests.values.map(\.1) == ["a=1", nil])
        #expect(requests.values.map { String(decoding: $0.2, as: UTF8.self) } == ["", #"{"a":1}"#])
    }
}
