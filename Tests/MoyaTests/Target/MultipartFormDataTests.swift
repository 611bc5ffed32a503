import Foundation
import Moya
import TestSupport
import Testing

@Suite("MultipartFormData keeps and compares its properties")
struct MultipartFormDataTests {
    @Test("fact 61: a part of a form keeps its properties")
    func part() {
        let url = URL(fileURLWithPath: "/f")
        let part = MultipartFormData(provider: .file(url), name: "n", fileName: "f", mimeType: "a/b")
        #expect(part.provider == .file(url))
        #expect(part.name == "n")
        #expect(part.fileName == "f")
        #expect(part.mimeType == "a/b")
        let plain = MultipartFormData(provider: .data(Data("1".utf8)), name: "a")
        #expect(plain.fileName == nil)
        #expect(plain.mimeType == nil)
        for other in [
            MultipartFormData(provider: .data(Data()), name: "n", fileName: "f", mimeType: "a/b"),
            MultipartFormData(provider: .file(url), name: "m", fileName: "f", mimeType: "a/b"),
            MultipartFormData(provider: .file(url), name: "n", mimeType: "a/b"),
            MultipartFormData(provider: .file(url), name: "n", fileName: "f"),
        ] {
            #expect(part != other)
        }
    }

    @Test("providers of parts are equal by content, by file, by the identity and length of a stream, and by body")
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

    @Test("a part from a stream with an invalid length causes a RequestBodyError")
    func longestStream() async {
        let part = MultipartFormData(provider: .stream(InputStream(data: Data()), .max), name: "n")
        for entryPoint in EntryPoint.allCases {
            let provider = MoyaProvider<TaskTarget>(
                session: Session(
                    FakeTransport.reading { _, _ in
                        TransportResponse(status: 200)
                    }
                )
            )
            let result = await entryPoint.request(TaskTarget(task: .uploadMultipart([part])), from: provider)
            #expect(result.underlying is RequestBodyError, "\(result)")
        }
    }
}
