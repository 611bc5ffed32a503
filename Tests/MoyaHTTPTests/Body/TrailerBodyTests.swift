import Foundation
import HTTPTypes
import MoyaHTTP
import Testing

@Suite("A body supplies its trailers at its end")
struct TrailerBodyTests {
    private struct Failure: Error {}

    @Test("a body with trailers is read as before, and each reader calls the function")
    func reader() async throws {
        let calls = Locked(0)
        let body = HTTPBody.data(Data("text".utf8)).withTrailers {
            calls.withLock { $0 += 1 }
            return [.eTag: "1"]
        }
        for call in 1...2 {
            let reader = try body.open()
            let read = await reader.rest()
            #expect(read.bytes == Data("text".utf8) && reader.length == 4)
            #expect(calls.withLock { $0 } == call - 1)
            #expect(try reader.trailers() == [.eTag: "1"])
            #expect(calls.withLock { $0 } == call)
        }
        #expect(try HTTPBody.data(Data()).open().trailers().isEmpty)
    }

    @Test("a body with trailers must be read, even if it is in memory or a file")
    func unread() {
        let file = URL(fileURLWithPath: "/tmp/x")
        for body in [HTTPBody.data(Data("text".utf8)), .data(Data()), .file(file)] {
            #expect(!body.hasTrailers)
            let trailing = body.withTrailers { [:] }
            #expect(trailing.hasTrailers && trailing.gzipped().hasTrailers && trailing.isRepeatable)
            #expect(trailing.data == nil && trailing.inlineData == nil && trailing.file == nil)
        }
    }

    @Test("a body with trailers is equal to its copies, and not to the body without them or with others")
    func equality() {
        let body = HTTPBody.data(Data("text".utf8))
        let trailing = body.withTrailers { [:] }
        let copy = trailing
        #expect(copy == trailing && copy.hashValue == trailing.hashValue)
        #expect(trailing != body)
        #expect(trailing != body.withTrailers { [:] })
    }

    @Test("later trailers replace earlier ones")
    func replaced() throws {
        let body = HTTPBody.data(Data()).withTrailers([.eTag]) { [.eTag: "1"] }.withTrailers { [.accept: "2"] }
        #expect(try body.open().trailers() == [.accept: "2"])
        #expect(body.trailerList == nil)
    }

    @Test("an error of the function, and a forbidden field, are errors of the body")
    func errors() throws {
        let failing = try HTTPBody.data(Data()).withTrailers { throw Failure() }.open()
        let error = #expect(throws: RequestBodyError.self) { try failing.trailers() }
        #expect(error?.reason == .failed && error?.underlyingError is Failure)
        let name = try #require(HTTPField.Name("hOST"))
        let forbidden = try HTTPBody.data(Data()).withTrailers { [.eTag: "1", name: "h"] }.open()
        #expect(throws: RequestBodyError(.trailerNotAllowed(name: "hOST"))) { try forbidden.trailers() }
        // A stream is not consumed by a forbidden name.
        let stream = HTTPBody.stream(InputStream(data: Data("text".utf8)))
        #expect(throws: RequestBodyError(.trailerNotAllowed(name: "hOST"))) {
            try stream.withTrailers([name]) { [:] }.open()
        }
        _ = try stream.open()
    }
}
