import Foundation
import Moya
import Testing

@Suite("RequestMultipartFormData has the interface of the contract's appendix")
struct RequestMultipartFormDataTests {
    final class OwnForm: RequestMultipartFormData {
        override func encode() throws -> Data { return Data("own".utf8) }
        override func writeEncodedData(to fileURL: URL) throws { throw ShopError() }
    }

    @Test("a multipart form is created with defaults, and parts are appended")
    func parts() throws {
        let form = RequestMultipartFormData(boundary: "b")
        form.append(Data("1".utf8), withName: "a")
        form.append(Data("2".utf8), withName: "b", fileName: "f.txt", mimeType: "text/plain")
        let file = URL(fileURLWithPath: "/nowhere/f.txt")
        form.append(file, withName: "c", fileName: "g.txt", mimeType: "text/plain")
        form.append(InputStream(data: Data("3".utf8)), withLength: 1, name: "d", fileName: "h", mimeType: "a/b")
        form.append(InputStream(data: Data("4".utf8)), withLength: 1, headers: HTTPHeaders(["A": "b"]))
        form.append(file, withName: "e")
        let boundary: String = form.boundary
        let length: UInt64 = form.contentLength
        #expect(boundary == "b" && length == 4)
        #expect(form.contentType == "multipart/form-data; boundary=b")
        form.contentType = "multipart/mixed; boundary=b"
        #expect(form.contentType == "multipart/mixed; boundary=b")
        #expect(throws: (any Error).self) { try form.encode() }
        #expect(RequestMultipartFormData.encodingMemoryThreshold == 10_000_000)
        #expect(!RequestMultipartFormData(fileManager: .default).boundary.isEmpty)
    }

    @Test("encode and writeEncodedData of a multipart form supply the body and can be overridden")
    func encode() throws {
        let form = RequestMultipartFormData(boundary: "b")
        form.append(Data("1".utf8), withName: "a")
        let data: Data = try form.encode()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try form.writeEncodedData(to: file)
        #expect(try Data(contentsOf: file) == data && data.starts(with: Data("--b\r\n".utf8)))
        let own: RequestMultipartFormData = OwnForm()
        #expect(try own.encode() == Data("own".utf8))
        #expect(throws: ShopError()) { try own.writeEncodedData(to: file) }
    }
}
