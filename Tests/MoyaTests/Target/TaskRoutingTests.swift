import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

@Suite("A task's case determines how the request is sent and the response received")
struct TaskRoutingTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let part = MultipartFormData(provider: .data(Data("v".utf8)), name: "n")

    private func misuse(in result: Result<Response, MoyaError>) -> TargetMisuse? {
        guard case .failure(.parameterEncoding(let error)) = result else { return nil }
        return error as? TargetMisuse
    }

    @Test(
        "fact 98: an upload with a status that is not accepted is a failure with its response",
        arguments: EntryPoint.allCases
    )
    func validation(entryPoint: EntryPoint) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("content", to: "file.txt")
        let session = Session(
            FakeTransport.reading { _, _ in
                TransportResponse(status: 422, body: .complete(Data("reason".utf8)))
            }
        )
        for task in [
            HTTPTask.requestPlain, .uploadFile(file), .uploadMultipart([Self.part]),
            .uploadBody(.file(file)), .gzipped(.uploadFile(file)),
        ] {
            let target = TaskTarget(task: task, validationType: .successCodes)
            let result = await entryPoint.request(target, from: Provider(session: session))
            guard case .failure(.underlying(MoyaError.statusCode, let response?)) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(response.statusCode == 422)
            #expect(response.data == Data("reason".utf8))
        }
    }

    #if NIO && !canImport(Darwin)
    @Test(
        "fact 80: a cancelled upload releases its sequence, and the server detects that the body is incomplete",
        arguments: EntryPoint.allCases
    )
    func cancelledUpload(entryPoint: EntryPoint) async throws {
        let server = try await UploadServer()
        let transport = NIOTransport()
        let sequence = EndlessSequence()
        let target = TaskTarget(baseURL: server.url("/sink"), task: .uploadBody(.sequence(sequence)))
        let provider = Provider(session: Session(transport: transport))
        let request = Task { await entryPoint.request(target, from: provider) }
        #expect(await server.wait(for: .head(path: "/sink")))
        await sequence.waits.wait()
        request.cancel()
        #expect(await request.value.urlErrorCode == .cancelled)
        await sequence.released.wait()
        guard case .brokenOff(path: "/sink", _)? = await server.end() else {
            Issue.record("the server got it all")
            return
        }
        await transport.shutdown()
        await server.shutDown()
    }
    #endif

    @Test(
        "fact 52: the endpoint's task and method are sent instead of the target's task and method",
        arguments: EntryPoint.allCases
    )
    func endpointCounts(entryPoint: EntryPoint) async {
        let sent = Recorder<String>()
        let provider = Provider(
            endpointClosure: { target in
                let endpoint = Provider.defaultEndpointMapping(for: target)
                guard case .uploadMultipart(let parts) = endpoint.task else {
                    return endpoint.replacing(task: .requestData(Data("replaced".utf8)))
                }
                let token = MultipartFormData(provider: .data(Data("t".utf8)), name: "token")
                return Endpoint(
                    url: endpoint.url,
                    sampleResponseClosure: endpoint.sampleResponseClosure,
                    method: .put,
                    task: .uploadMultipart(parts + [token], boundary: "B")
                )
            },
            session: .noting(sent)
        )
        // Without the endpoint closure, this request could not be sent.
        let form = TaskTarget(method: .get, task: .uploadMultipart([]))
        #expect(await entryPoint.request(form, from: provider).response?.statusCode == 200)
        let download = TaskTarget(task: .download(to: URL(fileURLWithPath: "/nowhere")))
        #expect(await entryPoint.request(download, from: provider).response?.data == Data("replaced".utf8))
        #expect(
            sent.values == [
                "--B\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nt\r\n--B--\r\n", "replaced",
            ]
        )
    }

    @Test(
        "fact 18: a body encoding that may write into the URL is refused in a gzipped task",
        arguments: [URLEncoding.default, URLEncoding.queryString, EncodableFormEncoding(["a": 1])]
            as [any ParameterEncoding],
        EntryPoint.allCases
    )
    func compositeParameters(encoding: any ParameterEncoding, entryPoint: EntryPoint) async {
        let task = HTTPTask.requestCompositeParameters(
            bodyParameters: ["a": 1],
            bodyEncoding: encoding,
            urlParameters: [:]
        )
        for task in [task, .gzipped(task)] {
            let result = await entryPoint.request(TaskTarget(task: task), from: Provider(session: .noting(Recorder())))
            #expect(misuse(in: result)?.target == "TaskTarget")
            #expect(misuse(in: result)?.property == "task")
        }
    }

    @Test(
        "fact 20: in a gzipped task, an encoder's error is .encodableMapping, and an encoding's error is .parameterEncoding",
        arguments: EntryPoint.allCases
    )
    func gzippedFailures(entryPoint: EntryPoint) async {
        let provider = Provider(session: .noting(Recorder()))
        let value = await entryPoint.request(
            TaskTarget(task: .gzipped(.requestJSONEncodable(Double.nan))),
            from: provider
        )
        guard case .failure(.encodableMapping(is EncodingError)) = value else {
            Issue.record("\(value)")
            return
        }
        let parameters = HTTPTask.requestParameters(parameters: ["a": Date()], encoding: JSONEncoding.default)
        let failure = await entryPoint.request(TaskTarget(task: .gzipped(parameters)), from: provider)
        guard case .failure(.parameterEncoding(JSONEncoding.Error.invalidJSONObject)) = failure else {
            Issue.record("\(failure)")
            return
        }
    }

    @Test(
        "fact 55: plugins get the form's content type instead of the target's content type",
        arguments: EntryPoint.allCases
    )
    func contentType(entryPoint: EntryPoint) async {
        struct Look: PluginType {
            let seen: Recorder<String?>
            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                seen.add(request.value(forHTTPHeaderField: "Content-Type"))
                return request
            }
            func willSend(_ request: any RequestType, target: any TargetType) {
                seen.add(request.request?.value(forHTTPHeaderField: "Content-Type"))
            }
        }
        let seen = Recorder<String?>()
        let provider = Provider(session: .noting(Recorder()), plugins: [Look(seen: seen)])
        let target = TaskTarget(task: .uploadMultipart([Self.part], boundary: "B"), headers: ["CONTENT-TYPE": "a/b"])
        #expect(await entryPoint.request(target, from: provider).response?.statusCode == 200)
        #expect(seen.values == Array(repeating: "multipart/form-data; boundary=B", count: 2))
    }
}

/// A sequence that returns a piece, and then nothing until its reader is cancelled.
private struct EndlessSequence: AsyncSequence, Sendable {
    /// Fulfilled when its reader waits for the second piece.
    let waits = Promise<Void>()
    /// Fulfilled when there is no reader.
    let released = Promise<Void>()

    final class Iterator: AsyncIteratorProtocol {
        private let sequence: EndlessSequence
        private var hasGiven = false

        init(_ sequence: EndlessSequence) { self.sequence = sequence }

        deinit { sequence.released.fulfill(()) }

        func next() async -> Data? {
            guard hasGiven else {
                hasGiven = true
                return Data(count: 10)
            }
            let cancelled = Promise<Void>()
            await withTaskCancellationHandler {
                sequence.waits.fulfill(())
                await cancelled.wait()
            } onCancel: {
                cancelled.fulfill(())
            }
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}
