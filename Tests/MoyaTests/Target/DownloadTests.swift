import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("A download writes the response's body to a file")
struct DownloadTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private func target(
        _ destination: @escaping DownloadDestination,
        validationType: ValidationType = .none
    ) -> TaskTarget {
        TaskTarget(method: .get, task: .downloadDestination(destination), validationType: validationType)
    }

    private func session(_ chunks: [String], status: Int = 200, then end: BodySource.End = .regular) -> Session {
        Session(
            FakeTransport { _ in
                TransportResponse(
                    status: status,
                    headers: .counted(chunks.joined().utf8.count, ["X-Answer": "a"]),
                    body: BodySource.body(chunks, then: end)
                )
            }
        )
    }

    @Test(
        "fact 53: a download has its body in the file, and its response has the head and no data",
        arguments: TransportKind.allCases
    )
    func file(kind: TransportKind) async throws {
        try await PlainServer.run { server in
            let transport = kind.make()
            let provider = Provider(session: Session(transport: transport))
            for entryPoint in EntryPoint.allCases {
                let folder = try TemporaryFolder()
                let file = folder.file("sub/file")
                let target = TaskTarget(
                    baseURL: server.url("/bytes/100000"),
                    method: .get,
                    task: .download(to: file, options: .createIntermediateDirectories)
                )
                let result = await entryPoint.request(target, from: provider)
                let response = try #require(result.response, "\(result)")
                #expect(response.statusCode == 200)
                #expect(response.data.isEmpty)
                #expect(response.headers["Content-Length"] == "100000")
                #expect(response.request?.url == server.url("/bytes/100000"))
                #expect(try Data(contentsOf: file) == Data(repeating: UInt8(ascii: "x"), count: 100_000))
                #expect(try folder.names == ["sub"])
            }
            await transport.shutdown()
        }
    }

    @Test(
        "fact 53: the destination closure of a download is called once with the response, and may keep the temporary file",
        arguments: EntryPoint.allCases
    )
    func destination(entryPoint: EntryPoint) async throws {
        let asked = Recorder<(URL, HTTPURLResponse)>()
        let provider = Provider(session: session(["ab", "cd"], status: 203))
        let result = await entryPoint.request(
            target {
                asked.add(($0, $1))
                return ($0, [])
            },
            from: provider
        )
        #expect(result.response?.statusCode == 203)
        #expect(asked.values.count == 1)
        let (file, head) = try #require(asked.values.first)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(head.statusCode == 203)
        #expect(head.value(forHTTPHeaderField: "X-Answer") == "a")
        #expect(try Data(contentsOf: file) == Data("abcd".utf8))
    }

    @Test(
        "fact 54: an existing file at the destination causes an error with the response and stays unchanged",
        arguments: EntryPoint.allCases
    )
    func fileExists(entryPoint: EntryPoint) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("old", to: "file")
        let calls = Recorder<String>()
        let provider = Provider(session: session(["new"]), plugins: [RecordingPlugin(calls: calls)])
        let result = await entryPoint.request(target { _, _ in (file, []) }, from: provider)
        guard case .failure(.underlying(let error as DownloadError, let response?)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error == .fileExists(file))
        #expect(response.statusCode == 200)
        #expect(response.headers["X-Answer"] == "a")
        #expect(response.data.isEmpty)
        #expect(try folder.text("file") == "old")
        #expect(try folder.names == ["file"])
        #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
        let replaced = await entryPoint.request(target { _, _ in (file, .removePreviousFile) }, from: provider)
        #expect(replaced.response?.statusCode == 200)
        #expect(try folder.text("file") == "new")
        #expect(try folder.names == ["file"])
    }

    @Test("other invalid destinations of a download cause errors with the response", arguments: EntryPoint.allCases)
    func badPlaces(entryPoint: EntryPoint) async throws {
        let folder = try TemporaryFolder()
        let missing = folder.file("none/file")
        let web = try #require(URL(string: "http://h/file"))
        for (file, expected) in [
            (missing, DownloadError.folderMissing(missing)), (web, .invalidDestination(web)),
            (folder.url, .destinationIsFolder(folder.url)),
        ] {
            let provider = Provider(session: session(["new"]))
            let result = await entryPoint.request(target { _, _ in (file, .removePreviousFile) }, from: provider)
            guard case .failure(.underlying(let error, let response)) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(error as? DownloadError == expected)
            #expect(response?.statusCode == 200)
        }
        #expect(try folder.names.isEmpty)
    }

    @Test(
        "fact 98: a download with a status that is not accepted writes no file, and its body is in the response",
        arguments: EntryPoint.allCases
    )
    func rejected(entryPoint: EntryPoint) async throws {
        let folder = try TemporaryFolder()
        let provider = Provider(session: session(["not ", "here"], status: 404))
        let target = target(
            { _, _ in
                Issue.record("asked for a destination")
                return (folder.file("file"), [])
            },
            validationType: .successCodes
        )
        let result = await entryPoint.request(target, from: provider)
        guard case .failure(let error) = result, case .underlying(MoyaError.statusCode, let response?) = error else {
            Issue.record("\(result)")
            return
        }
        #expect(response.statusCode == 404)
        #expect(response.data == Data("not here".utf8))
        #expect(error.response === response)
        #expect(try folder.names.isEmpty)
    }

    @Test("fact 40: a download with any status writes a file without validation", arguments: EntryPoint.allCases)
    func anyStatus(entryPoint: EntryPoint) async throws {
        let folder = try TemporaryFolder()
        let provider = Provider(session: session(["not here"], status: 404))
        let result = await entryPoint.request(target { _, _ in (folder.file("file"), []) }, from: provider)
        #expect(result.response?.statusCode == 404)
        #expect(try folder.text("file") == "not here")
    }

    @Test(
        "the lost connection of a download causes a URLError with the response and leaves no file",
        arguments: EntryPoint.allCases
    )
    func broken(entryPoint: EntryPoint) async throws {
        let folder = try TemporaryFolder()
        let provider = Provider(session: session(["half"], then: .error(.networkConnectionLost)))
        let result = await entryPoint.request(target { _, _ in (folder.file("file"), []) }, from: provider)
        #expect(result.urlErrorCode == .networkConnectionLost)
        guard case .failure(let error) = result else { return }
        #expect(error.response?.statusCode == 200)
        #expect(error.response?.headers["X-Answer"] == "a")
        #expect(try folder.names.isEmpty)
    }

    @Test(
        "an interrupted download is resumed with resumesWhenInterrupted",
        arguments: TransportKind.allCases,
        EntryPoint.allCases
    )
    func resumed(kind: TransportKind, entryPoint: EntryPoint) async throws {
        let server = try await DownloadServer(DownloadServer.Settings(length: 200_000) { $0.breaksOffAfter = [50_000] })
        let transport = kind.make()
        let folder = try TemporaryFolder()
        let calls = Recorder<String>()
        let provider = Provider(session: Session(transport: transport), plugins: [RecordingPlugin(calls: calls)])
        let file = folder.file("file")
        let target = TaskTarget(
            baseURL: server.url(),
            method: .get,
            task: .download(to: file, options: .resumesWhenInterrupted)
        )
        let result = await entryPoint.request(target, from: provider)
        #expect(result.response?.statusCode == 200, "\(result)")
        #expect(try Data(contentsOf: file) == Pattern().bytes(200_000))
        #expect(try folder.names == ["file"])
        // Plugins see one request.
        #expect(calls.values == ["prepare", "willSend", "didReceive", "process"])
        let ranges = await server.heads.map { $0["range"] != nil }
        #expect(ranges == [false, true])
        await transport.shutdown()
        await server.shutDown()
    }

    @Test(
        "fact 80: a cancelled download is cancelled down to the transport and leaves no file",
        arguments: EntryPoint.allCases
    )
    func cancelled(entryPoint: EntryPoint) async throws {
        let folder = try TemporaryFolder()
        let watch = BodySource.Watch()
        let provider = Provider(
            session: Session(
                FakeTransport { _ in
                    TransportResponse(status: 200, body: BodySource.body(["half"], then: .never, watch: watch))
                }
            )
        )
        let request = Task { await entryPoint.request(target { _, _ in (folder.file("file"), []) }, from: provider) }
        while watch.pulls.values.count < 2 { await Task.yield() }
        request.cancel()
        #expect(await request.value.urlErrorCode == .cancelled)
        await watch.closed.wait()
        #expect(try folder.names.isEmpty)
    }

    @Test(
        "fact 74: stubbed downloads and uploads use no file, and return the sample data",
        arguments: EntryPoint.allCases,
        [StubBehavior.immediate, .delayed(seconds: 0)]
    )
    func stubs(entryPoint: EntryPoint, behavior: StubBehavior) async throws {
        let folder = try TemporaryFolder()
        let destination: DownloadDestination = { _, _ in
            Issue.record("asked for a destination")
            return (folder.file("file"), [])
        }
        let unread = HTTPBody.stream(InputStream(data: Data("x".utf8)), length: 1)
        let part = MultipartFormData(provider: .file(folder.file("none")), name: "n")
        let provider = Provider(
            stubClosure: { _ in behavior },
            session: Session(
                FakeTransport { _ in
                    Issue.record("sent")
                    return TransportResponse(status: 500)
                }
            )
        )
        for task in [
            HTTPTask.downloadDestination(destination),
            .downloadParameters(parameters: ["a": 1], encoding: URLEncoding.default, destination: destination),
            .download(to: folder.file("file")), .uploadFile(folder.file("none")),
            .uploadMultipart([part]), .uploadBody(unread),
            .gzipped(.uploadBody(unread)),
        ] {
            let response = await entryPoint.request(TaskTarget(task: task), from: provider).response
            #expect(response?.data == Data("sample".utf8))
            #expect(response?.statusCode == 200)
        }
        #expect(try folder.names.isEmpty)
        // The stream is still unread.
        #expect(try await unread.open().next() == Data("x".utf8))
    }
}
