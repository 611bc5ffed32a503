import Foundation
import Testing

@testable import MoyaHTTP

@Suite("An observed body reports its bytes")
struct ObservedBodyTests {
    private final class Views: Sendable {
        let all = Locked<[[Data?]]>([])

        func watch(_ body: HTTPBody) -> HTTPBody {
            body.observingPieces { [self] in
                let index = all.withLock { all in
                    all.append([])
                    return all.count - 1
                }
                return { [self] piece in all.withLock { $0[index].append(piece) } }
            }
        }
    }

    @Test("an observed body reports the sent bytes, piece by piece and to the end, each time it is opened")
    func pieces() async throws {
        let views = Views()
        let data = Data((0..<300_000).map { UInt8($0 % 251) })
        let body = views.watch(.data(data))
        #expect(body.data == nil, "who takes it in one piece would not be seen")
        for _ in 0..<2 {
            let reader = try body.open()
            var read: [Data?] = []
            repeat { read.append(try await reader.next()) } while read.last != .some(nil)
            #expect(views.all.withLock { $0.last } == read)
        }
        let synchronous = try body.open()
        while try synchronous.nextBlocking() != nil {}
        let all = views.all.withLock { $0 }
        #expect(all.count == 3)
        #expect(all.allSatisfy { $0.last == .some(nil) && Data($0.compactMap { $0 }.joined()) == data })
    }

    @Test("an observed body reports its end once, however often it is read after the end")
    func endOnce() async throws {
        let views = Views()
        let body = views.watch(.data(Data("a".utf8)))
        let (reader, synchronous) = (try body.open(), try body.open())
        for _ in 0..<3 {
            _ = try await reader.next()
            _ = try synchronous.nextBlocking()
        }
        #expect(views.all.withLock { $0 } == [[Data("a".utf8), nil], [Data("a".utf8), nil]])
    }

    @Test("an observed body reports compressed bytes as they are sent")
    func compressed() async throws {
        let views = Views()
        let reader = try views.watch(.data(Data(repeating: 7, count: 100_000))).gzipped().open()
        var sent = Data()
        while let piece = try await reader.next() { sent += piece }
        #expect(sent.count < 1_000)
        #expect(Data(views.all.withLock { $0[0].compactMap { $0 } }.joined()) == sent)
    }

    @Test("an observed body equals the body without its observers, and observers can be removed")
    func equality() {
        let views = Views()
        let body = HTTPBody.data(Data("a".utf8))
        #expect(views.watch(body) == views.watch(body))
        #expect(views.watch(body).withoutObservers == body)
        #expect(views.watch(body).withoutObservers.data == Data("a".utf8))
    }
}
