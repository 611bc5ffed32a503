import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

/// A server with one file, which makes mistakes.
private struct Server {
    struct Response {
        var head: ResponseHead
        var body: Data
        var failure: URLError.Code?
    }

    var content: Data
    var tag: String? = "\"v1\""
    /// The number of bytes after which each of the next attempts breaks off.
    var breaks: [Int] = []
    /// The content of the file from each attempt on.
    var change: (attempt: Int, content: Data)?
    var knowsRanges = true
    var ignoresCondition = false
    /// The distance of the response's range from the requested one.
    var shift = 0
    /// The maximum number of bytes of a range.
    var rangeLimit = 1_000_000_000
    private(set) var requests: [HTTPFields] = []

    mutating func response(to headers: HTTPFields) -> Response {
        requests.append(headers)
        if let change, requests.count == change.attempt { (content, tag) = (change.content, "\"v2\"") }
        var (status, fields): (Int, HTTPFields) = (200, [.contentLength: "\(content.count)"])
        if let tag { fields[.eTag] = tag }
        var body = content
        let isSame = ignoresCondition || headers[.ifRange] == tag
        if knowsRanges, isSame, let first = headers[.range].flatMap({ Int($0.dropFirst(6).dropLast()) }) {
            let first = first + shift
            guard first < content.count else {
                return Response(head: ResponseHead(status: 416, headers: [:]), body: Data())
            }
            let last = min(content.count - 1, rangeLimit - 1 + first)
            body = content[first...last]
            status = 206
            fields[.contentRange] = "bytes \(first)-\(last)/\(content.count)"
            fields[.contentLength] = "\(body.count)"
        }
        let head = ResponseHead(status: status, headers: fields)
        guard !breaks.isEmpty else { return Response(head: head, body: body) }
        return Response(head: head, body: body.prefix(breaks.removeFirst()), failure: .networkConnectionLost)
    }
}

@Suite("A download from a faulty server becomes complete")
struct DownloadFlowTests {
    let folder: TemporaryFolder
    private let content = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8)) })
    private let newContent = Data((0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 17 ^ ($0 >> 7)) })

    init() throws { folder = try TemporaryFolder() }

    private struct GaveUp: Error {}

    /// Performs one call, as a session does.
    private func download(_ server: inout Server) async throws {
        let request = TransportRequest(method: .get, url: try #require(URL(string: "http://h/f")))
        var next: Server.Response? = server.response(to: [:])
        var entity = next.flatMap { DownloadEntity(of: $0.head, to: request) }
        let options: DownloadRequest.Options = .resumesWhenInterrupted
        let file = try await DownloadFile.open(folder.file("a"), options: options, entity: entity)
        var interruptions = DownloadInterruptions(length: file.resumeOffset)
        if let entity {
            switch DownloadResumption(entity: entity, offset: file.resumeOffset).nextStep {
            case .write: break
            case .requestRest: next = nil
            case .complete: return try await file.commit()
            }
        }
        while true {
            let answer: Server.Response
            if let first = next {
                (answer, next) = (first, nil)
            } else {
                let resumption = DownloadResumption(entity: try #require(entity), offset: try await file.flush())
                if resumption.nextStep == .complete { return try await file.commit() }
                var rest = server.response(to: resumption.headers)
                switch resumption.action(for: rest.head) {
                case .append: break
                case .complete: return try await file.commit()
                case .passThrough:
                    await file.suspend()
                    throw GaveUp()
                case .startOver, .requestAgain:
                    if resumption.action(for: rest.head) == .requestAgain { rest = server.response(to: [:]) }
                    entity = DownloadEntity(of: rest.head, to: request)
                    try await file.startOver(entity)
                    _ = interruptions.handleRestart()
                }
                answer = rest
            }
            try await file.write(answer.body)
            let length = try await file.flush()
            let verdict: DownloadInterruptions.Decision
            if let failure = answer.failure {
                verdict = interruptions.handleFailure(failure, length: length)
            } else if let total = entity?.totalLength, length < total {
                verdict = interruptions.handleShortResponse(length: length)
            } else {
                return try await file.commit()
            }
            guard verdict == .resume, entity != nil else {
                await file.suspend()
                throw GaveUp()
            }
        }
    }

    private func expect(_ expected: Data, after requests: Int, of server: Server) throws {
        #expect(try folder.names == ["a"])
        let isWhole = try Data(contentsOf: folder.file("a")) == expected
        #expect(isWhole)
        #expect(server.requests.count == requests)
    }

    @Test("a download is complete after one response")
    func plain() async throws {
        var server = Server(content: content)
        try await download(&server)
        try expect(content, after: 1, of: server)
    }

    @Test("a download is complete after many responses if the connection breaks repeatedly", arguments: [true, false])
    func breaking(_ hasTag: Bool) async throws {
        var server = Server(content: content, breaks: [100_000, 1, 2, 70_000, 3])
        if !hasTag { server.tag = nil }
        if hasTag {
            try await download(&server)
            try expect(content, after: 6, of: server)
            #expect(server.requests.last?[.range] == "bytes=170006-")
        } else {
            await #expect(throws: GaveUp.self) { try await download(&server) }
            #expect(try folder.names == [])
        }
    }

    @Test("a download is complete if the server sends less than requested")
    func shortRanges() async throws {
        var server = Server(content: content, breaks: [100_000], rangeLimit: 150_000)
        try await download(&server)
        try expect(content, after: 4, of: server)
    }

    @Test("a download is complete after two calls, and the second call requests only the missing bytes")
    func twoCalls() async throws {
        var server = Server(content: content, breaks: [100_000, 0])
        await #expect(throws: GaveUp.self) { try await download(&server) }
        #expect(try folder.names == [".a.part", ".a.part.json"])
        try await download(&server)
        try expect(content, after: 4, of: server)
        #expect(server.requests.last?[.range] == "bytes=100000-")
    }

    @Test("a download is complete without another request if the connection breaks after the last byte")
    func complete() async throws {
        var server = Server(content: content, breaks: [content.count])
        try await download(&server)
        try expect(content, after: 1, of: server)
    }

    @Test("a download is not read again if only the last step is missing")
    func completeBefore() async throws {
        var server = Server(content: content)
        let request = TransportRequest(method: .get, url: try #require(URL(string: "http://h/f")))
        let entity = DownloadEntity(of: server.response(to: [:]).head, to: request)
        let file = try await DownloadFile.open(folder.file("a"), options: .resumesWhenInterrupted, entity: entity)
        try await file.write(content)
        await file.suspend()
        try await download(&server)
        try expect(content, after: 2, of: server)
    }

    @Test("a download has the new entity if the entity changes in the meantime", arguments: [true, false])
    func changing(_ isOneCall: Bool) async throws {
        var server = Server(content: content, breaks: isOneCall ? [100_000] : [100_000, 0])
        server.change = (attempt: isOneCall ? 2 : 3, content: newContent)
        if !isOneCall { await #expect(throws: GaveUp.self) { try await download(&server) } }
        try await download(&server)
        try expect(newContent, after: isOneCall ? 2 : 3, of: server)
    }

    @Test("a download starts over if the server does not support ranges")
    func noRanges() async throws {
        var server = Server(content: content, breaks: [100_000], knowsRanges: false)
        try await download(&server)
        try expect(content, after: 2, of: server)
    }

    @Test("a download starts over if the server sends other bytes than requested", arguments: [-1, 1, -100_000])
    func wrongRange(_ shift: Int) async throws {
        var server = Server(content: content, breaks: [100_000], shift: shift)
        try await download(&server)
        try expect(content, after: 3, of: server)
        #expect(server.requests.last == [:])
    }

    @Test("a download starts over if the server sends a range of a changed entity")
    func wrongEntity() async throws {
        var server = Server(content: content, breaks: [100_000], ignoresCondition: true)
        server.change = (attempt: 2, content: newContent)
        try await download(&server)
        try expect(newContent, after: 3, of: server)
    }
}
