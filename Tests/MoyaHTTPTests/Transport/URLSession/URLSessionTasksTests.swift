import Foundation
import HTTPTypes
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages
@testable import MoyaHTTPTransportCore
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The delegate callbacks of URLSession arrive in the order of each implementation", .timeLimit(.minutes(2)))
struct URLSessionTasksTests {
    /// A running exchange with scripted callbacks.
    private struct Script {
        let tasks: URLSessionTasks
        let exchange: Exchange
        /// The depth to which the task is suspended.
        let suspensions = Locked(0)
        let cancellations = Locked(0)
        let interim = Locked<[Int]>([])
        static let number = 7

        init(
            _ implementation: URLSessionImplementation = .darwin,
            bufferLimit: Int = TransportRequest.defaultResponseBufferLimit,
            upload: URLSessionUpload? = nil,
            progress: HTTPBody.SentProgress? = nil
        ) throws {
            tasks = URLSessionTasks(implementation)
            var request = TransportRequest(method: .post, url: try #require(URL(string: "http://h/")))
            request.responseBufferLimit = bufferLimit
            request.onInterimResponse = { [interim] status, _ in interim.withLock { $0.append(status) } }
            exchange = Exchange(request)
            let entry = URLSessionExchange(
                exchange,
                request,
                flow: URLSessionFlowControl(
                    suspend: { [suspensions] in suspensions.withLock { $0 += 1 } },
                    resume: { [suspensions] in suspensions.withLock { $0 -= 1 } }
                ),
                upload: upload,
                progress: progress,
                cancelTask: { [cancellations] in cancellations.withLock { $0 += 1 } }
            )
            tasks.add(entry, task: Self.number)
        }

        /// Runs callbacks and returns the response.
        func response(_ callbacks: (URLSessionTasks, Int) -> Void) async throws -> TransportResponse {
            try await exchange.perform {
                exchange.setCarrier(
                    Exchange.Carrier(
                        stop: { [cancellations] _ in cancellations.withLock { $0 += 1 } },
                        schedule: { _, _ in {} }
                    )
                )
                callbacks(tasks, Self.number)
            }
        }
    }

    private static let head = ResponseHead(status: 200, headers: [.contentType: "text/plain"])
    private static let chunk = Data(count: ExchangeStateMachine.defaultMaximumBuffered / 2 + 1)

    @Test(
        "the head, the data and the completion of a URLSession task form a response",
        arguments: URLSessionImplementation.allCases
    )
    func whole(_ implementation: URLSessionImplementation) async throws {
        let script = try Script(implementation)
        let response = try await script.response { tasks, task in
            tasks.received(Self.head, task: task)
            tasks.received(Data("ab".utf8), task: task)
            tasks.received(Data("c".utf8), task: task)
            tasks.completed(head: Self.head, task: task)
        }
        #expect(response.status == 200)
        #expect(try await response.collected() == Data("abc".utf8))
        #expect(script.tasks.exchange(of: Script.number) == nil)
    }

    @Test("the completion delivers a head that was not reported before, such as that of a redirect on Linux")
    func lateHead() async throws {
        let response = try await Script(.corelibs).response { tasks, task in
            tasks.completed(head: ResponseHead(status: 302, headers: [:]), task: task)
        }
        #expect(response.status == 302)
        #expect(try await response.collected() == Data())
    }

    @Test("informational responses come before the head and are not the response")
    func interim() async throws {
        let script = try Script()
        let response = try await script.response { tasks, task in
            tasks.receivedInterim(ResponseHead(status: 103, headers: [:]), task: task)
            tasks.receivedInterim(ResponseHead(status: 103, headers: [:]), task: task)
            tasks.received(Self.head, task: task)
            tasks.completed(task: task)
            tasks.receivedInterim(ResponseHead(status: 103, headers: [:]), task: task)
        }
        #expect(response.status == 200)
        #expect(script.interim.withLock { $0 } == [103, 103])
    }

    @Test("data of a suspended URLSession task is read to the end, even if the task completes while it is suspended")
    func completedWhileSuspended() async throws {
        let script = try Script(bufferLimit: 0)
        let response = try await script.response { tasks, task in
            tasks.received(Self.head, task: task)
            for _ in 0..<4 { tasks.received(Self.chunk, task: task) }
        }
        #expect(script.suspensions.withLock { $0 } == 1)
        script.tasks.received(Self.chunk, task: Script.number)
        script.tasks.completed(task: Script.number)
        #expect(try await response.collected().count == 5 * Self.chunk.count)
        #expect(script.suspensions.withLock { $0 } == 0)
    }

    @Test("a URLSession task is not suspended if it would start again from the beginning")
    func neverSuspended() async throws {
        let script = try Script(.corelibs, bufferLimit: 0)
        let response = try await script.response { tasks, task in
            tasks.received(Self.head, task: task)
            for _ in 0..<4 { tasks.received(Self.chunk, task: task) }
            tasks.completed(task: task)
        }
        #expect(script.suspensions.withLock { $0 } == 0)
        #expect(try await response.collected().count == 4 * Self.chunk.count)
    }

    @Test("an error of URLSession after a part of the body is thrown after the part is read")
    func brokenOff() async throws {
        let response = try await Script().response { tasks, task in
            tasks.received(Self.head, task: task)
            tasks.received(Data("part".utf8), task: task)
            tasks.completed(URLError(.networkConnectionLost), task: task)
        }
        guard case .stream(let stream) = response.body else {
            Issue.record("The body is not a stream.")
            return
        }
        var reader = stream.makeAsyncIterator()
        #expect(try await reader.next() == Data("part".utf8))
        let error = await #expect(throws: URLError.self) { try await reader.next() }
        #expect(error?.code == .networkConnectionLost)
    }

    @Test("a refused challenge fails the exchange instead of URLSession's cancellation")
    func refused() async throws {
        let script = try Script()
        let error = await #expect(throws: URLError.self) {
            try await script.response { tasks, task in
                tasks.refused(URLError(.serverCertificateUntrusted), task: task)
                tasks.completed(URLError(.cancelled), task: task)
            }
        }
        #expect(error?.code == .serverCertificateUntrusted)
    }

    @Test("a task that its caller cancels has ended before URLSession reports the cancellation")
    func cancelled() async throws {
        let script = try Script()
        let error = await #expect(throws: URLError.self) {
            try await script.response { tasks, task in
                script.exchange.cancel()
                tasks.completed(URLError(.networkConnectionLost), task: task)
            }
        }
        #expect(error?.code == .cancelled)
        #expect(script.cancellations.withLock { $0 } == 1)
    }

    @Test("callbacks for a completed or unknown URLSession task do nothing")
    func removed() async throws {
        let progress = Locked<[Int64]>([])
        let observer = HTTPBody.ProgressObserver { total, _ in progress.withLock { $0.append(total) } }
        let script = try Script(progress: HTTPBody.SentProgress(observer, length: 9))
        let response = try await script.response { tasks, task in
            tasks.received(Self.head, task: task)
            tasks.completed(task: task)
        }
        for task in [Script.number, 8] {
            script.tasks.pauseForConnectivity(task: task)
            script.tasks.didSendBody(total: 3, task: task)
            script.tasks.receivedInterim(ResponseHead(status: 103, headers: [:]), task: task)
            script.tasks.received(ResponseHead(status: 500, headers: [:]), task: task)
            script.tasks.received(Data("late".utf8), task: task)
            script.tasks.collected(URLSessionConnectionFacts(), task: task)
            script.tasks.refused(URLError(.serverCertificateUntrusted), task: task)
            script.tasks.completed(URLError(.cancelled), task: task)
            #expect(script.tasks.nextBodyStream(task: task) == nil)
            #expect(script.tasks.exchange(of: task) == nil)
        }
        #expect(response.status == 200)
        #expect(try await response.collected() == Data())
        #expect(progress.withLock { $0 } == [])
        #expect(script.interim.withLock { $0 } == [])
        #expect(script.cancellations.withLock { $0 } == 0)
    }

    @Test("a streamed body that URLSession sends again gets a new stream, and its exchange continues")
    func newBodyStream() async throws {
        let file = try TemporaryFile(Data("body".utf8))
        let upload = URLSessionUpload(.file(file.url)) { Issue.record($0) }
        let first = try upload.firstStream().stream
        let script = try Script(upload: upload)
        let response = try await script.response { tasks, task in
            let second = tasks.nextBodyStream(task: task)
            #expect(second != nil && second !== first)
            tasks.received(Self.head, task: task)
            tasks.completed(task: task)
        }
        #expect(response.status == 200)
    }

    @Test("URLSession sends a body in memory again, except on Linux, where the request fails")
    func newBodyStreamForData() async throws {
        let script = try Script(.darwin)
        let response = try await script.response { tasks, task in
            #expect(tasks.nextBodyStream(task: task) == nil)
            tasks.received(Self.head, task: task)
            tasks.completed(task: task)
        }
        #expect(response.status == 200)
        #expect(script.cancellations.withLock { $0 } == 0)

        let onLinux = try Script(.corelibs)
        let error = await #expect(throws: URLError.self) {
            try await onLinux.response { tasks, task in
                #expect(tasks.nextBodyStream(task: task) == nil)
                tasks.completed(URLError(.cancelled), task: task)
            }
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(onLinux.cancellations.withLock { $0 } == 1)
    }

    @Test("the progress of a URLSession task reports the sent bytes of the body's length")
    func progress() async throws {
        let reports = Locked<[[Int64?]]>([])
        let observer = HTTPBody.ProgressObserver { total, length in reports.withLock { $0.append([total, length]) } }
        let script = try Script(progress: HTTPBody.SentProgress(observer, length: 9))
        _ = try await script.response { tasks, task in
            tasks.didSendBody(total: 4, task: task)
            tasks.didSendBody(total: 9, task: task)
            tasks.received(Self.head, task: task)
            tasks.completed(task: task)
        }
        #expect(reports.withLock { $0 } == [[4, 9], [9, 9]])
    }

    @Test(
        "a connection that URLSession lost causes a resend only if the connection was reused",
        arguments: [false, true]
    )
    func reused(_ isReused: Bool) async throws {
        let script = try Script()
        let error = await #expect(throws: URLError.self) {
            try await script.response { tasks, task in
                tasks.collected(
                    URLSessionConnectionFacts(
                        protocolName: "http/1.1",
                        remote: (nil, nil),
                        local: (nil, nil),
                        isReused: isReused
                    ),
                    task: task
                )
                tasks.completed(URLError(.networkConnectionLost), task: task)
            }
        }
        var rule = ResendRule(method: .get, isBodyRepeatable: true)
        #expect(rule.decide(try #require(error), elapsed: .zero)?.reason == (isReused ? .connectionLost : nil))
    }
}
