import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A task determines the transfer of the bodies", .timeLimit(.minutes(5)))
struct TaskTransferTests {
    typealias Provider = MoyaProvider<TaskTarget>

    private static let part = MultipartFormData(provider: .data(Data("v".utf8)), name: "n")

    /// Returns the request that the transport gets for a task, its body, and the caller's response.
    private func exchange(
        _ task: HTTPTask,
        _ entryPoint: EntryPoint
    ) async throws -> (sent: TransportRequest, body: Data, response: Response) {
        let sent = Recorder<TransportRequest>()
        let bodies = Recorder<Data>()
        let transport = FakeTransport.reading { request, body in
            sent.add(request)
            bodies.add(body)
            return TransportResponse(status: 200, body: .complete(Data("answer".utf8)))
        }
        let result = await entryPoint.request(TaskTarget(task: task), from: Provider(session: Session(transport)))
        return (try #require(sent.values.first), try #require(bodies.values.first), try result.get())
    }

    @Test("fact 49: data tasks send bytes in memory and receive data", arguments: EntryPoint.allCases)
    func data(entryPoint: EntryPoint) async throws {
        let encoding = URLEncoding.httpBody
        for (task, body) in [
            (HTTPTask.requestPlain, nil), (.requestData(Data("x".utf8)), "x"),
            (.requestJSONEncodable(["a"]), #"["a"]"#),
            (.requestCustomJSONEncodable([1], encoder: JSONEncoder()), "[1]"),
            (.requestParameters(parameters: ["a": 1], encoding: encoding), "a=1"),
            (.requestCompositeData(bodyData: Data("x".utf8), urlParameters: [:]), "x"),
            (.requestCompositeParameters(bodyParameters: ["a": 1], bodyEncoding: encoding, urlParameters: [:]), "a=1"),
        ] {
            let (sent, _, response) = try await exchange(task, entryPoint)
            #expect(sent.body == body.map { .data(Data($0.utf8)) }, "\(task)")
            #expect(response.data == Data("answer".utf8))
        }
    }

    @Test("fact 49: uploadFile streams the file, and uploadMultipart sends a form", arguments: EntryPoint.allCases)
    func uploads(entryPoint: EntryPoint) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("content", to: "file.txt")
        let upload = try await exchange(.uploadFile(file), entryPoint)
        #expect(upload.sent.body == .file(file))
        #expect(upload.sent.body?.data == nil)
        #expect(upload.body == Data("content".utf8))
        #expect(upload.response.data == Data("answer".utf8))
        let form = [Self.part]
        for task in [
            HTTPTask.uploadMultipart(form), .uploadCompositeMultipart(form, urlParameters: ["a": 1]),
            .uploadMultipart(form, boundary: "B"),
        ] {
            let (sent, body, response) = try await exchange(task, entryPoint)
            #expect(sent.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
            #expect(String(decoding: body, as: UTF8.self).contains("form-data; name=\"n\"\r\n\r\nv\r\n"))
            #expect(response.data == Data("answer".utf8))
        }
    }

    @Test(
        "fact 49: downloads send the encoded request, and the response is written to a file",
        arguments: EntryPoint.allCases
    )
    func downloads(entryPoint: EntryPoint) async throws {
        let folder = try TemporaryFolder()
        let destination: DownloadDestination = { _, _ in (folder.file("answer"), .removePreviousFile) }
        let parameters = HTTPTask.downloadParameters(
            parameters: ["a": 1],
            encoding: URLEncoding.httpBody,
            destination: destination
        )
        for (task, body) in [(HTTPTask.downloadDestination(destination), ""), (parameters, "a=1")] {
            let exchange = try await exchange(task, entryPoint)
            #expect(exchange.body == Data(body.utf8))
            #expect(exchange.response.data.isEmpty)
            #expect(try folder.text("answer") == "answer")
        }
    }

    #if os(Linux)
    // The test runs in another process, so that it can observe the memory and the temporary files.
    @Test("fact 60: a form is read while it is sent, with constant memory and without a temporary file")
    func largeForm() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let spool = folder.file("spool")
            try FileManager.default.createDirectory(at: spool, withIntermediateDirectories: true)
            setenv("TMPDIR", spool.path, 1)
            #expect(FileManager.default.temporaryDirectory.standardizedFileURL.path == spool.path)
            let size = 192 * 1024 * 1024
            let file = try folder.write("", to: "large.bin")
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(size))
            try handle.close()
            let count = Recorder<Int>()
            let provider = MoyaProvider<TaskTarget>(
                session: Session(
                    FakeTransport { request in
                        let reader = try request.body?.open()
                        var sent = 0
                        while let piece = try await reader?.next() {
                            sent += piece.count
                            let spooled = try FileManager.default.contentsOfDirectory(atPath: spool.path)
                            #expect(spooled.isEmpty)
                        }
                        count.add(sent)
                        return TransportResponse(status: 200)
                    }
                )
            )
            let form = [MultipartFormData(provider: .file(file), name: "n")]
            let before = try TaskTransferTests.peakMemory()
            let result = await EntryPoint.async.request(
                TaskTarget(task: .uploadMultipart(form)),
                from: provider
            )
            #expect(result.response?.statusCode == 200)
            #expect((count.values.first ?? 0) > size)
            let growth = try TaskTransferTests.peakMemory() - before
            #expect(growth < 64 * 1024, "\(growth) KiB")
        }
    }

    /// Returns the peak memory of the process in KiB.
    private static func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) })
    }
    #endif
}
