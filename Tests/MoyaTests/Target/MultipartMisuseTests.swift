import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Invalid multipart forms are refused")
struct MultipartMisuseTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private enum API: TargetType {
        case upload(secret: String)
        var baseURL: URL { URL(string: "http://127.0.0.1:9") ?? URL(fileURLWithPath: "/") }
        var path: String { "" }
        var method: Moya.Method { .post }
        var task: HTTPTask { .uploadMultipart([]) }
        var headers: [String: String]? { nil }
    }

    private static let part = MultipartFormData(provider: .data(Data("v".utf8)), name: "n")
    private static let form = [part]

    private func misuse(in result: Result<Response, MoyaError>) -> TargetMisuse? {
        guard case .failure(.parameterEncoding(let error)) = result else { return nil }
        return error as? TargetMisuse
    }

    @Test(
        "fact 50: only POST, PUT, PATCH and CONNECT accept a form",
        arguments: [
            (Moya.Method.post, true), (.put, true), (.patch, true), (.connect, true), (.get, false), (.delete, false),
            (.options, false), (.head, false), (.trace, false), (.query, false), (Moya.Method(rawValue: "post"), false),
            (Moya.Method(rawValue: "PROPPATCH"), false),
        ]
    )
    func methods(method: Moya.Method, takesForms: Bool) async {
        #expect(method.supportsMultipart == takesForms)
        for task in [
            HTTPTask.uploadMultipart(Self.form),
            .uploadCompositeMultipart(Self.form, urlParameters: [:]),
            .uploadMultipart(Self.form, boundary: "B"),
            .gzipped(.uploadMultipart(Self.form)),
        ] {
            for entryPoint in EntryPoint.allCases {
                let sent = Recorder<String>()
                let provider = Provider(session: .noting(sent))
                let result = await entryPoint.request(TaskTarget(method: method, task: task), from: provider)
                #expect(sent.values.count == (takesForms ? 1 : 0))
                #expect((result.response != nil) == takesForms)
                guard !takesForms else { continue }
                #expect(misuse(in: result)?.property == "method")
                #expect(misuse(in: result)?.problem == "a multipart form can't be sent with \(method.rawValue)")
            }
        }
    }

    @Test(
        "fact 50: a form needs parts, and the error's text names the place and the remedy and hides secrets",
        arguments: EntryPoint.allCases
    )
    func noParts(entryPoint: EntryPoint) async {
        let result = await entryPoint.request(.upload(secret: "5ecret"), from: MoyaProvider<API>())
        guard case .failure(let error) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(misuse(in: result)?.target == "API.upload")
        #expect(
            error.localizedDescription
                == "Failed to encode parameters for URLRequest. API.upload: `task`: its multipart"
                + " form has no parts. Instead, give it at least one part, or use another task."
        )
    }

    @Test("fact 50: every case of Task with a form is checked", arguments: EntryPoint.allCases)
    func everyForm(entryPoint: EntryPoint) async {
        for task in [
            HTTPTask.uploadMultipart([]), .uploadCompositeMultipart([], urlParameters: [:]),
            .uploadMultipart([], boundary: "B"), .gzipped(.uploadMultipart([])),
        ] {
            let sent = Recorder<String>()
            let provider = Provider(session: .noting(sent))
            let result = await entryPoint.request(TaskTarget(task: task), from: provider)
            #expect(misuse(in: result)?.property == "task", "\(task)")
            #expect(misuse(in: result)?.target == "TaskTarget")
            #expect(sent.values.isEmpty)
        }
    }

    @Test(
        "facts 36, 50: an invalid form of a request runs no hook except process",
        arguments: EntryPoint.allCases,
        [false, true]
    )
    func hooks(entryPoint: EntryPoint, tracksInflights: Bool) async {
        let calls = Recorder<String>()
        let provider = Provider(
            session: .noting(Recorder()),
            plugins: [RecordingPlugin(calls: calls)],
            trackInflights: tracksInflights
        )
        for target in [
            TaskTarget(task: .uploadMultipart([])),
            TaskTarget(method: .get, task: .uploadMultipart(Self.form)),
        ] {
            #expect(misuse(in: await entryPoint.request(target, from: provider)) != nil)
        }
        #expect(calls.values == ["process", "process"])
        // An entry is removed after its completion has returned, which may be later than this check.
        while !provider.inflightRequests.isEmpty { await Task.yield() }
    }

    @Test(
        "facts 36, 65: a request with an invalid form fails synchronously without a queue, and causes no progress call"
    )
    func synchronous() {
        let completed = Recorder<Bool>()
        Provider().request(
            TaskTarget(task: .uploadMultipart([])),
            progress: { _ in Issue.record("progress") },
            completion: { completed.add(misuse(in: $0) != nil) }
        )
        #expect(completed.values == [true])
    }

    @Test(
        "fact 51: the form of a stub is not checked",
        arguments: EntryPoint.allCases,
        [StubBehavior.immediate, .delayed(seconds: 0)]
    )
    func stubs(entryPoint: EntryPoint, behavior: StubBehavior) async {
        let provider = Provider(stubClosure: { _ in behavior })
        for target in [
            TaskTarget(task: .uploadMultipart([])),
            TaskTarget(method: .get, task: .uploadCompositeMultipart(Self.form, urlParameters: [:])),
        ] {
            #expect(await entryPoint.request(target, from: provider).response?.data == Data("sample".utf8))
        }
    }

    @Test(
        "facts 28, 57: the error of a form that cannot be written names the part, and plugins get the request and the error",
        arguments: EntryPoint.allCases
    )
    func badForms(entryPoint: EntryPoint) async throws {
        let file = URL(fileURLWithPath: "/tmp/without-extension")
        let data = MultipartFormData.FormDataProvider.data(Data())
        let rows: [(HTTPTask, MultipartError)] = [
            (.uploadMultipart([Self.part], boundary: "é"), .invalidBoundary("é")),
            (
                .uploadMultipart([MultipartFormData(provider: .file(file), name: "f")]),
                .noFileName(part: "f", file: file)
            ),
            (
                .uploadMultipart([MultipartFormData(provider: data, name: "d", mimeType: "a/b\r\nX: y")]),
                .invalidMIMEType(part: "d")
            ),
            (.uploadMultipart([MultipartFormData(provider: data, name: "d\0")]), .invalidName(part: "d\0")),
            (
                .uploadMultipart([MultipartFormData(provider: data, name: "d", fileName: "\0")]),
                .invalidFileName(part: "d")
            ),
        ]
        for (task, expected) in rows {
            let calls = Recorder<String>()
            let provider = Provider(session: .noting(Recorder()), plugins: [RecordingPlugin(calls: calls)])
            let result = await entryPoint.request(TaskTarget(task: task), from: provider)
            guard case .failure(.underlying(let error as MultipartError, nil)) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(error == expected)
            #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
            // Without plugins, nothing is sent either.
            let sent = Recorder<String>()
            let plain = await entryPoint.request(TaskTarget(task: task), from: Provider(session: .noting(sent)))
            guard case .failure(.underlying(let plainError as MultipartError, nil)) = plain else {
                Issue.record("\(plain)")
                continue
            }
            #expect(plainError == expected)
            #expect(sent.values.isEmpty)
        }
    }
}
