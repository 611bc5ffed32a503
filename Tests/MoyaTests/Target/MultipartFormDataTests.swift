import Foundation
import Moya
import TestSupport
import Testing

@Suite("MultipartFormData")
struct MultipartFormDataTests {
    private let a = MultipartFormBodyPart(provider: .data(Data("1".utf8)), name: "a")
    private let b = MultipartFormBodyPart(provider: .data(Data("2".utf8)), name: "b")

    @Test("fact 61: it is an array literal; file manager and boundary have defaults")
    func literal() {
        let form: MultipartFormData = [a, b]
        #expect(form.parts == [a, b])
        #expect(form.boundary == nil)
        #expect(form.fileManager === FileManager.default)
        #expect(form == MultipartFormData(parts: [a, b]))
        let manager = FileManager()
        let own = MultipartFormData(fileManager: manager, boundary: "B", parts: [])
        #expect(own.fileManager === manager)
        #expect(own.boundary == "B")
        #expect(own.parts.isEmpty)
    }

    @Test("equal are boundary and parts, in order; the file manager says nothing")
    func equality() {
        let form = MultipartFormData(boundary: "B", parts: [a, b])
        let same = MultipartFormData(fileManager: FileManager(), boundary: "B", parts: [a, b])
        #expect(form == same)
        #expect(form.hashValue == same.hashValue)
        for other in [
            MultipartFormData(boundary: "C", parts: [a, b]), MultipartFormData(parts: [a, b]),
            MultipartFormData(boundary: "B", parts: [b, a]), MultipartFormData(boundary: "B", parts: [a]),
        ] {
            #expect(form != other)
        }
        #expect(Set([form, same, [a], [b], [a]]).count == 3)
    }

    @Test("a part is what it was made of")
    func part() {
        let url = URL(fileURLWithPath: "/f")
        let part = MultipartFormBodyPart(provider: .file(url), name: "n", fileName: "f", mimeType: "a/b")
        #expect(part.provider == .file(url))
        #expect(part.name == "n")
        #expect(part.fileName == "f")
        #expect(part.mimeType == "a/b")
        #expect(a.fileName == nil)
        #expect(a.mimeType == nil)
        for other in [
            MultipartFormBodyPart(provider: .data(Data()), name: "n", fileName: "f", mimeType: "a/b"),
            MultipartFormBodyPart(provider: .file(url), name: "m", fileName: "f", mimeType: "a/b"),
            MultipartFormBodyPart(provider: .file(url), name: "n", mimeType: "a/b"),
            MultipartFormBodyPart(provider: .file(url), name: "n", fileName: "f"),
        ] {
            #expect(part != other)
        }
    }

    @Test("providers are equal by content, by file, by the very stream and its length, by body")
    func providers() {
        typealias Provider = MultipartFormData.FormDataProvider
        let stream = InputStream(data: Data("1".utf8))
        let bytes = Data("1".utf8)
        let url = URL(fileURLWithPath: "/f")
        let all: [Provider] = [
            .data(bytes), .data(Data("2".utf8)), .file(url), .file(URL(fileURLWithPath: "/g")), .stream(stream, 1),
            .stream(stream, 2), .stream(InputStream(data: bytes), 1), .body(.data(bytes)), .body(.file(url)),
        ]
        #expect(Set(all).count == all.count)
        #expect(Provider.stream(stream, 1) == .stream(stream, 1))
        #expect(Provider.body(.data(bytes)) == .body(.data(Data("1".utf8))))
        #expect(Set(all + all).count == all.count)
    }

    @Test("a length that no body can have is an error of the body")
    func longestStream() async {
        let part = MultipartFormBodyPart(provider: .stream(InputStream(data: Data()), .max), name: "n")
        for entryPoint in EntryPoint.allCases {
            let provider = MoyaProvider<TaskTarget>(
                session: Session(
                    FakeTransport.reading { _, _ in
                        TransportResponse(status: 200)
                    }
                )
            )
            let result = await entryPoint.request(TaskTarget(task: .uploadMultipartFormData([part])), from: provider)
            #expect(result.underlying is RequestBodyError, "\(result)")
        }
    }
}
