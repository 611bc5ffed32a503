import Foundation
import Moya
import Testing

@Suite("MultipartFormData has the interface of the contract")
struct MultipartFormDataTests {
    @Test("a part of a form is created with defaults and keeps its properties")
    func part() {
        let plain = MultipartFormData(provider: .data(Data("x".utf8)), name: "a")
        let provider: MultipartFormData.FormDataProvider = plain.provider
        #expect(plain.name == "a" && plain.fileName == nil && plain.mimeType == nil)
        #expect(provider == .data(Data("x".utf8)))
        let file = MultipartFormData(
            provider: .file(URL(fileURLWithPath: "/tmp/a.png")),
            name: "b",
            fileName: "a.png",
            mimeType: "image/png"
        )
        let fileName: String? = file.fileName
        let mimeType: String? = file.mimeType
        #expect(fileName == "a.png" && mimeType == "image/png" && file != plain)
        #expect(Set([plain, file, plain]).count == 2)
    }

    @Test("a part of a form is created from data, a file or a stream")
    func providers() {
        func name(_ provider: MultipartFormData.FormDataProvider) -> String {
            switch provider {
            case .data(let data): return "data \(data.count)"
            case .file(let url): return "file \(url.lastPathComponent)"
            case .stream(_, let length): return "stream \(length)"
            }
        }
        #expect(name(.data(Data([1]))) == "data 1")
        #expect(name(.file(URL(fileURLWithPath: "/tmp/a"))) == "file a")
        #expect(name(.stream(InputStream(data: Data()), 7)) == "stream 7")
    }
}
