#if NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import TestServers
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("The tasks of an application run on the event loops of its connections", .timeLimit(.minutes(5)))
struct TaskExecutorTests {
    /// A transport on event loops that nothing else uses, and a server.
    private struct Fixture: Sendable {
        let transport: NIOTransport
        let loops: [any EventLoop]
        /// Responds with the number of its connection, from 1.
        let url: URL
        /// Responds when as many requests wait as there are event loops.
        let gatedURL: URL
        /// Does not respond.
        let silentURL: URL
        /// The number of connections.
        let connections: Locked<Int>
        /// A request without a response has arrived.
        let waiting: Promise<Void>
        /// The client has closed the connection of a request without a response.
        let abandoned: Promise<Void>

        func executor(_ index: Int) throws -> any TaskExecutor {
            try #require(transport.taskExecutor(of: loops[index]))
        }

        func text(_ url: URL) async throws -> String {
            let data = try await transport.send(TransportRequest(method: .get, url: url)).collected()
            return String(decoding: data, as: UTF8.self)
        }

        /// Sends a request, and returns the index of the event loop of its connection.
        func loop(_ url: URL) async throws -> Int? {
            let found = Locked<Int?>(nil)
            var request = TransportRequest(method: .get, url: url)
            request.onConnect = { [loops] in
                let index = loops.firstIndex { $0.inEventLoop }
                found.withLock { $0 = index }
            }
            _ = try await transport.send(request).collected()
            return found.withLock { $0 }
        }

        /// Sends requests on an event loop until one of its connections has carried a request.
        func openOnLoop(_ index: Int) async throws {
            try await withTaskExecutorPreference(executor(index)) {
                while try await loop(url) != index {}
            }
        }

        /// Sends a request on each event loop at the same time, so that each one has a connection.
        func openOnEachLoop() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in loops.indices {
                    group.addTask(executorPreference: try executor(index)) { _ = try await text(gatedURL) }
                }
                try await group.waitForAll()
            }
        }
    }

    private func run(
        loops count: Int = 2,
        limit: Int = 8,
        _ body: @Sendable (Fixture) async throws -> Void
    ) async throws {
        let (connections, gated) = (Locked(0), Locked(0))
        let (gate, waiting, abandoned) = (Promise<Void>(), Promise<Void>(), Promise<Void>())
        let server = try await RawServer { connection in
            let number = connections.withLock { count in
                count += 1
                return count
            }
            while let head = try await connection.head() {
                if head.target == "/silent" {
                    waiting.fulfill(())
                    await connection.waitUntilClosed()
                    abandoned.fulfill(())
                    return
                }
                if head.target == "/gated" {
                    let isLast = gated.withLock { gated in
                        gated += 1
                        return gated == count
                    }
                    if isLast { gate.fulfill(()) }
                    await gate.wait()
                }
                let body = "\(number)"
                try await connection.writer.write(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
            }
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: count)
        var configuration = TransportConfiguration()
        configuration.maximumConnectionsPerHost = limit
        let transport = try NIOTransport(connection: configuration, loops: group)
        let fixture = Fixture(
            transport: transport,
            loops: Array(group.makeIterator()),
            url: server.url("/"),
            gatedURL: server.url("/gated"),
            silentURL: server.url("/silent"),
            connections: connections,
            waiting: waiting,
            abandoned: abandoned
        )
        try await transport.shutDown(after: { try await body(fixture) })
        await server.shutDown()
        try await group.shutdownGracefully()
    }

    // MARK: Executors

    @Test("NIOTransport has an executor for each of its event loops, and none for other event loops")
    func executors() async throws {
        try await run(loops: 3) { fixture in
            #expect(fixture.transport.taskExecutors.count == 3)
            for (loop, executor) in zip(fixture.loops, fixture.transport.taskExecutors) {
                #expect(fixture.transport.taskExecutor(of: loop) === executor)
            }
            #expect(fixture.transport.taskExecutor(of: MultiThreadedEventLoopGroup.singleton.any()) == nil)
        }
    }

    @Test(
        "the other transports have no executors, and a task with none of them runs elsewhere",
        arguments: TransportKind.allCases
    )
    func otherTransports(kind: TransportKind) async throws {
        try await kind.withTransport { transport in
            let session = Session.alone(on: transport)
            let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
            #expect(session.taskExecutors.count == (kind == .nio ? loops.count : 0))
            let isOnLoop = await withTaskExecutorPreference(session.taskExecutors.randomElement()) {
                loops.contains { $0.inEventLoop }
            }
            #expect(isOnLoop == (kind == .nio))
        }
    }

    // MARK: Threads

    @Test("a task on an event loop is on the thread of the event loop before, between and after its requests")
    func thread() async throws {
        try await run { fixture in
            for (index, loop) in fixture.loops.enumerated() {
                try await withTaskExecutorPreference(fixture.executor(index)) {
                    #expect(loop.inEventLoop)
                    for _ in 0..<3 {
                        _ = try await fixture.text(fixture.url)
                        #expect(loop.inEventLoop)
                    }
                }
            }
        }
    }

    @Test("the stages of a session and the connection run on the event loop of the task")
    func stages() async throws {
        struct Observer: HTTPMiddleware {
            let observe: @Sendable () -> Void

            func respond(
                to request: TransportRequest,
                context: RequestContext,
                next: @escaping Next
            ) async throws -> TransportResponse {
                observe()
                var request = request
                request.onConnect = observe
                let response = try await next(request)
                observe()
                return response
            }
        }
        try await run { fixture in
            for (index, loop) in fixture.loops.enumerated() {
                let observed = Locked<[Bool]>([])
                let observer = Observer {
                    let isOnLoop = loop.inEventLoop
                    observed.withLock { $0.append(isOnLoop) }
                }
                let session = Session(
                    transport: fixture.transport,
                    configuration: .ephemeral,
                    middleware: [observer],
                    exchangeMiddleware: [observer]
                )
                try await fixture.openOnLoop(index)
                observed.withLock { $0 = [] }
                try await withTaskExecutorPreference(fixture.executor(index)) {
                    _ = try await session.data(for: URLRequest(url: fixture.url))
                    #expect(loop.inEventLoop)
                }
                let values = observed.withLock { $0 }
                #expect(values.count >= 5)
                #expect(values.allSatisfy { $0 })
            }
        }
    }

    @Test("the pieces of a stream arrive on the event loop of the task")
    func stream() async throws {
        let server = try await HTTPServer { _ in
            HTTPServer.Response(
                body: .stream(length: nil) { writer in
                    for _ in 0..<200 { try await writer.write(Data(repeating: 1, count: 10_000)) }
                }
            )
        }
        try await run { fixture in
            try await withTaskExecutorPreference(fixture.executor(1)) {
                var request = TransportRequest(method: .get, url: server.baseURL)
                request.responseBufferLimit = 0
                let response = try await fixture.transport.send(request)
                var (count, isElsewhere) = (0, false)
                for try await piece in TransportBodyStream(of: response) {
                    count += piece.count
                    if !fixture.loops[1].inEventLoop { isElsewhere = true }
                    // The window fills up, so that reading pauses and goes on.
                    if count < 20_000 { try await Task.sleep(for: .milliseconds(20)) }
                }
                #expect(count == 2_000_000)
                #expect(!isElsewhere)
            }
        }
        await server.shutDown()
    }

    @Test("a request over HTTP/2 returns to the event loop of its task, also from a connection on another one")
    func http2() async throws {
        try await HTTP2Live.run(HTTP2Live.echo) { transport, server in
            let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
            for (loop, executor) in zip(loops, transport.taskExecutors) {
                try await withTaskExecutorPreference(executor) {
                    for path in ["/a", "/b"] {
                        let text = try await HTTP2Live.text(transport, server.url(path))
                        #expect(text == path)
                        #expect(loop.inEventLoop)
                    }
                }
            }
        }
    }

    @Test("a cancelled task on an event loop gets its error there, and the connection is closed")
    func cancellation() async throws {
        try await run { fixture in
            let loop = fixture.loops[0]
            let task = Task(executorPreference: try fixture.executor(0)) {
                let code = await HTTP2Live.code { try await fixture.text(fixture.silentURL) }
                return (code, loop.inEventLoop)
            }
            await fixture.waiting.wait()
            task.cancel()
            let (code, isOnLoop) = await task.value
            #expect(code == .cancelled)
            #expect(isOnLoop)
            await fixture.abandoned.wait()
        }
    }

    // MARK: Connections

    @Test("tasks on four event loops use four connections, each on its event loop")
    func spread() async throws {
        try await run(loops: 4) { fixture in
            try await fixture.openOnEachLoop()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in fixture.loops.indices {
                    group.addTask(executorPreference: try fixture.executor(index)) {
                        for _ in 0..<20 {
                            let loop = try await fixture.loop(fixture.url)
                            #expect(loop == index)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(fixture.connections.withLock { $0 } == 4)
        }
    }

    @Test("a request uses an idle connection of another event loop, and its own one gets a connection")
    func otherLoop() async throws {
        try await run { fixture in
            try await fixture.openOnLoop(0)
            try await withTaskExecutorPreference(fixture.executor(1)) {
                let first = try await fixture.loop(fixture.url)
                #expect(first == 0)
                // The connection opens at the same time.
                while try await fixture.loop(fixture.url) != 1 {}
                let later = try await fixture.loop(fixture.url)
                #expect(later == 1)
            }
            let back = try await withTaskExecutorPreference(fixture.executor(0)) {
                try await fixture.loop(fixture.url)
            }
            #expect(back == 0)
            #expect(fixture.connections.withLock { $0 } == 2)
        }
    }

    @Test("tasks on several event loops share the connections that the limit allows")
    func limit() async throws {
        try await run(loops: 4, limit: 1) { fixture in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in fixture.loops.indices {
                    group.addTask(executorPreference: try fixture.executor(index)) {
                        for _ in 0..<10 {
                            let text = try await fixture.text(fixture.url)
                            #expect(text == "1")
                            #expect(fixture.loops[index].inEventLoop)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(fixture.connections.withLock { $0 } == 1)
        }
    }

    @Test("a connection that a task on an event loop preconnects is on that event loop")
    func preconnect() async throws {
        try await run { fixture in
            for index in fixture.loops.indices {
                try await withTaskExecutorPreference(fixture.executor(index)) {
                    try await fixture.transport.preconnect(to: fixture.url, connections: index + 1)
                    let loop = try await fixture.loop(fixture.url)
                    #expect(loop == index)
                }
            }
            #expect(fixture.connections.withLock { $0 } == 2)
        }
    }

    @Test("a task that blocks its event loop stalls the connections of this event loop, and no others")
    func blocked() async throws {
        try await run { fixture in
            try await fixture.openOnEachLoop()
            let (began, release) = (Promise<Void>(), DispatchSemaphore(value: 0))
            defer { release.signal() }
            let blocking = Task(executorPreference: try fixture.executor(0)) {
                began.fulfill(())
                Self.block(release)
            }
            await began.wait()
            let stalled = Locked(true)
            let waiting = Task(executorPreference: try fixture.executor(0)) {
                _ = try await fixture.text(fixture.url)
                stalled.withLock { $0 = false }
            }
            try await withTaskExecutorPreference(fixture.executor(1)) {
                for _ in 0..<20 {
                    let loop = try await fixture.loop(fixture.url)
                    #expect(loop == 1)
                }
            }
            #expect(stalled.withLock { $0 })
            release.signal()
            await blocking.value
            try await waiting.value
        }
    }

    /// An executor that counts its jobs.
    private final class CountingExecutor: TaskExecutor {
        let count = Locked(0)
        private let queue = DispatchQueue(label: "CountingExecutor")

        func enqueue(_ job: consuming ExecutorJob) {
            count.withLock { $0 += 1 }
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test("other tasks can use the executor of a request while the file of its body is opened")
    func openedFile() async throws {
        let transport = NIOTransport()
        // Neither request is sent, because its body cannot be opened.
        let read = HTTPBody.stream(InputStream(data: Data()))
        _ = try read.open()
        let missing = HTTPBody.file(URL(fileURLWithPath: "/missing/\(UUID())"))
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        func jobs(sending body: HTTPBody) async -> Int {
            let executor = CountingExecutor()
            await withTaskExecutorPreference(executor) {
                _ = await #expect(throws: RequestBodyError.self) {
                    try await transport.send(TransportRequest(method: .post, url: url, body: body))
                }
            }
            return executor.count.withLock { $0 }
        }
        let jobsWithoutWait = await jobs(sending: read)
        // The other thread can finish before the task begins to wait for it, which then needs no further job.
        var attempts = 0
        while attempts < 1000, await jobs(sending: missing) == jobsWithoutWait { attempts += 1 }
        #expect(attempts < 1000)
        await transport.shutdown()
    }

    /// Blocks the current thread, which an async function cannot do itself.
    private static func block(_ semaphore: DispatchSemaphore) { semaphore.wait() }
}
#endif
