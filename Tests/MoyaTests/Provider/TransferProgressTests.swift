import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("Progress counts the bytes of uploads and downloads")
struct TransferProgressTests {
    typealias Provider = MoyaProvider<TaskTarget>

    /// The values of one call: the completed and the total units, the fraction, and whether the call has the response.
    private struct Call: Equatable, CustomStringConvertible {
        var done: Int64?
        var total: Int64?
        var progress: Double
        var completed: Bool

        init(_ progress: ProgressResponse) {
            done = progress.progressObject?.completedUnitCount
            total = progress.progressObject?.totalUnitCount
            self.progress = progress.progress
            completed = progress.completed
        }

        var description: String {
            "\(done.map(String.init) ?? "-")/\(total.map(String.init) ?? "-") \(progress) \(completed)"
        }
    }

    /// Returns the progress calls of a request whose response has three chunks.
    private func calls(_ task: HTTPTask, method: Moya.Method = .post, tracksInflights: Bool = false) async -> [String] {
        let session = Session(
            FakeTransport.reading { _, _ in
                TransportResponse(status: 200, headers: .counted(3), body: BodySource.body(["a", "b", "c"]))
            }
        )
        let provider = Provider(session: session, trackInflights: tracksInflights)
        let calls = Recorder<String>()
        let done = Promise<Void>()
        provider.request(
            TaskTarget(method: method, task: task),
            callbackQueue: .global(),
            progress: { calls.add(Call($0).description) },
            completion: {
                calls.add("\($0.response?.statusCode ?? 0)")
                done.fulfill(())
            }
        )
        await done.wait()
        return calls.values
    }

    private static let downloaded = ["1/3 \(1.0 / 3) false", "2/3 \(2.0 / 3) false", "3/3 1.0 false"]

    @Test("fact 91: the progress of data and download tasks counts the response's body", arguments: [false, true])
    func downloads(tracksInflights: Bool) async throws {
        let folder = try TemporaryFolder()
        for task in [
            HTTPTask.requestPlain, .requestData(Data("xy".utf8)), .requestJSONEncodable(["a": 1]),
            .download(to: folder.file("file"), options: .removePreviousFile), .gzipped(.requestData(Data("xy".utf8))),
        ] {
            let calls = await calls(task, tracksInflights: tracksInflights)
            #expect(calls == Self.downloaded + ["3/3 1.0 true", "200"], "\(task)")
        }
    }

    @Test(
        "fact 91: the progress of uploads counts the request's body and not the response's body",
        arguments: [false, true]
    )
    func uploads(tracksInflights: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("12", to: "file.txt")
        let form = [MultipartFormData(provider: .data(Data("v".utf8)), name: "n")]
        let boundary = "moya.boundary.0123456789abcdef"
        let length = "--\(boundary)\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nv\r\n--\(boundary)--\r\n".utf8
            .count
        for (task, length) in [
            (HTTPTask.uploadFile(file), 2), (.uploadMultipart(form), length),
            (.uploadCompositeMultipart(form, urlParameters: ["a": 1]), length),
            (.uploadMultipart(form, boundary: boundary), length),
            (.uploadBody(.data(Data("123".utf8))), 3),
            // Progress counts the bytes before the compression.
            (.gzipped(.uploadFile(file)), 2),
        ] {
            let calls = await calls(task, tracksInflights: tracksInflights)
            #expect(calls == ["\(length)/\(length) 1.0 false", "\(length)/\(length) 1.0 true", "200"], "\(task)")
        }
    }

    @Test("fact 92: the progress of an upload of unknown length has no fraction and counts its bytes")
    func unknownLength() async {
        let pieces = AsyncStream { end in
            for text in ["1", "2"] { end.yield(Data(text.utf8)) }
            end.finish()
        }
        let calls = await calls(.uploadBody(.sequence(pieces)))
        #expect(calls == ["1/-1 0.0 false", "2/-1 0.0 false", "2/-1 1.0 true", "200"])
    }

    @Test("fact 95: the progress of a long upload never decreases and is reported at most about a hundred times")
    func long() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("file")
        try Data(count: 40 * 128 * 1024).write(to: file)
        let calls = await calls(.uploadFile(file))
        let length: Int64 = 40 * 128 * 1024
        let counts = calls.dropLast().compactMap { Int64($0.split(separator: "/")[0]) }
        #expect(counts == counts.sorted())
        #expect(counts.suffix(2) == [length, length])
        #expect(Set(counts.dropLast()).count == counts.count - 1)
        #expect((10...102).contains(counts.count))
    }

    @Test("fact 94: a failed upload ends with a progress call without a response")
    func failure() async {
        let session = Session(FakeTransport.reading { _, _ in throw URLError(.networkConnectionLost) })
        let calls = Recorder<String>()
        let done = Promise<Void>()
        Provider(session: session).request(
            TaskTarget(task: .uploadBody(.data(Data("12".utf8)))),
            callbackQueue: .global(),
            progress: { calls.add(Call($0).description) },
            completion: {
                calls.add("\($0.urlErrorCode == .networkConnectionLost)")
                done.fulfill(())
            }
        )
        await done.wait()
        #expect(calls.values.suffix(2) == ["2/2 1.0 false", "true"])
        #expect(calls.values.allSatisfy { !$0.hasSuffix(" true") })
    }

    @Test("fact 87: each caller that shares an upload gets the upload's progress")
    func shared() async {
        let go = Promise<Void>()
        let session = Session(
            FakeTransport { request in
                await go.wait()
                while try await request.body?.open().next() != nil { break }
                return TransportResponse(status: 200)
            }
        )
        let provider = Provider(session: session, trackInflights: true)
        let ends = Recorder<String>()
        let done = [Promise<Void>(), Promise<Void>()]
        for (index, done) in done.enumerated() {
            provider.request(
                TaskTarget(task: .uploadBody(.data(Data("12".utf8)))),
                callbackQueue: .global(),
                progress: { ends.add("\(index) \(Call($0))") },
                completion: { _ in done.fulfill(()) }
            )
        }
        go.fulfill(())
        for done in done { await done.wait() }
        for index in 0...1 {
            let own = ends.values.filter { $0.hasPrefix("\(index) ") }
            #expect(own == ["\(index) 2/2 1.0 false", "\(index) 2/2 1.0 true"])
        }
    }

    @Test(
        "no progress follows the completion of a cancelled upload whose body a transport still reads",
        arguments: [false, true]
    )
    func cancelled(tracksInflights: Bool) async throws {
        let reader = Promise<HTTPBody.Reader?>()
        let session = Session(
            FakeTransport { request in
                let opened = try request.body?.open()
                _ = try await opened?.next()
                reader.fulfill(opened)
                try await Task.sleep(for: .seconds(600))
                return TransportResponse(status: 200)
            }
        )
        let calls = Recorder<String>()
        let queue = DispatchQueue(label: "calls")
        let done = Promise<Void>()
        let token = Provider(session: session, trackInflights: tracksInflights).request(
            TaskTarget(task: .uploadBody(.data(Data(count: 1_000_000)))),
            callbackQueue: queue,
            progress: { _ in calls.add("progress") },
            completion: { _ in
                calls.add("completion")
                done.fulfill(())
            }
        )
        let opened = try #require(await reader.wait())
        token.cancel()
        await done.wait()
        while try await opened.next() != nil {}
        queue.sync {}
        #expect(calls.values == ["progress", "progress", "completion"])
    }
}
