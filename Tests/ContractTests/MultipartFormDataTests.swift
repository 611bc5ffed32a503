import Foundation
import Moya
import Testing

@Suite("Contract: MultipartFormData")
struct MultipartFormDataTests {
    @Test("A part is made with defaults, and has what it was made with")
    func part() {
        let plain = MultipartFormBodyPart(provider: .data(Data("x".utf8)), name: "a")
        let provider: MultipartFormData.FormDataProvider = plain.provider
        #expect(plain.name == "a" && plain.fileName == nil && plain.mimeType == nil)
        #expect(provider == .data(Data("x".utf8)))
        let file = MultipartFormBodyPart(
            provider: .file(URL(fileURLWithPath: "/tmp/a.png")),
            name: "b",
            fileName: "a.png",
            mimeType: "image/png"
        )
        #expect(file.fileName == "a.png" && file.mimeType == "image/png" && file != plain)
        #expect(Set([plain, file, plain]).count == 2)
    }

    @Test("A form is made with defaults, or is an array literal")
    func form() {
        let part = MultipartFormBodyPart(provider: .stream(InputStream(data: Data([1])), 1), name: "a")
        let form = MultipartFormData(parts: [part])
        #expect(form.fileManager === FileManager.default && form.boundary == nil && form.parts == [part])
        let literal: MultipartFormData = [part]
        #expect(literal == form && Set([literal, form]).count == 1)
        #expect(MultipartFormData(fileManager: .default, boundary: "b", parts: []).boundary == "b")
        #expect(MultipartFormData(arrayLiteral: part, part).parts.count == 2)
    }

    @Test("A part comes from data, a file or a stream")
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
