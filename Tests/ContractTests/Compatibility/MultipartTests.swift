import Foundation
import Moya
import Testing

@Suite("Older names: MultipartFormData as one part")
struct MultipartTests {
    struct Names: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            let name = MultipartFormData(provider: .data(Data("Ash".utf8)), name: "name")
            let photo = MultipartFormData(
                provider: .file(URL(fileURLWithPath: "/p.png")),
                name: "photo",
                fileName: "p.png",
                mimeType: "image/png"
            )
            let parts = [
                MultipartFormBodyPart(provider: .data(Data("Ash".utf8)), name: "name"),
                MultipartFormBodyPart(
                    provider: .file(URL(fileURLWithPath: "/p.png")),
                    name: "photo",
                    fileName: "p.png",
                    mimeType: "image/png"
                ),
            ]
            guard case .uploadMultipartFormData(let form) = Task.uploadMultipart([name, photo]) else {
                Issue.record("it is another task")
                return
            }
            #expect(form.parts == parts && form.boundary == nil)
            let parameters: [String: Any] = ["a": 1]
            let task: Task = .uploadCompositeMultipart([name, photo], urlParameters: parameters)
            guard case .uploadCompositeMultipartFormData(let composite, let urlParameters) = task else {
                Issue.record("it is another task")
                return
            }
            #expect(composite.parts == parts && urlParameters.count == 1)
            let built: [MultipartFormData] = [name]
            if case .uploadMultipartFormData = Task.uploadMultipart(built) {
            } else {
                Issue.record("it is another task")
            }
        }
    }

    struct Literals: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            // What is written without a type is the part that it has been since.
            let task: Task = .uploadMultipart([.init(provider: .data(Data()), name: "a")])
            if case .uploadMultipart(let parts) = task { #expect(parts.count == 1) } else { Issue.record("\(task)") }
            if case .uploadMultipart(let parts) = Task.uploadMultipart([]) { #expect(parts.isEmpty) }
        }
    }

    @Test("A list of one-part forms is one form")
    func names() throws { try check(Names()) }

    @Test("Lists without a type are lists of parts")
    func literals() throws { try check(Literals()) }
}
