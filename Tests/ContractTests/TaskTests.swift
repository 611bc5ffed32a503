import Foundation
import Moya
import Testing

@Suite("Contract: Task")
struct TaskTests {
    struct Item: Encodable {
        let id: Int
    }

    static let destination: DownloadDestination = { url, _ in (url, [.removePreviousFile]) }

    /// Parameters and bodies as code for the original has them: of no type that is known to be Sendable.
    static func all() -> [Task] {
        let parameters: [String: Any] = ["id": 1]
        let encodable: Encodable = Item(id: 1)
        let form: MultipartFormData = [MultipartFormBodyPart(provider: .data(Data()), name: "a")]
        return [
            .requestPlain,
            .requestData(Data()),
            .requestJSONEncodable(encodable),
            .requestCustomJSONEncodable(encodable, encoder: JSONEncoder()),
            .requestParameters(parameters: parameters, encoding: URLEncoding.default),
            .requestCompositeData(bodyData: Data(), urlParameters: parameters),
            .requestCompositeParameters(
                bodyParameters: parameters,
                bodyEncoding: JSONEncoding.default,
                urlParameters: parameters
            ),
            .uploadFile(URL(fileURLWithPath: "/tmp/a")),
            .uploadMultipartFormData(form),
            .uploadCompositeMultipartFormData(form, urlParameters: parameters),
            .downloadDestination(destination),
            .downloadParameters(
                parameters: parameters,
                encoding: URLEncoding.queryString,
                destination: destination
            ),
        ]
    }

    /// Returns the name of a case; the switch is exhaustive, so an additional case would not compile.
    ///
    /// Two of the cases are deprecated, as in Moya 15.
    @available(*, deprecated)
    static func name(_ task: Task) -> String {
        switch task {
        case .requestPlain: return "requestPlain"
        case .requestData(let data): return "requestData \(data.count)"
        case .requestJSONEncodable: return "requestJSONEncodable"
        case .requestCustomJSONEncodable(_, let encoder): return "requestCustomJSONEncodable \(type(of: encoder))"
        case .requestParameters(let parameters, _): return "requestParameters \(parameters.count)"
        case .requestCompositeData(let bodyData, let urlParameters):
            return "requestCompositeData \(bodyData.count) \(urlParameters.count)"
        case .requestCompositeParameters(let bodyParameters, _, let urlParameters):
            return "requestCompositeParameters \(bodyParameters.count) \(urlParameters.count)"
        case .uploadFile(let url): return "uploadFile \(url.lastPathComponent)"
        case .uploadMultipartFormData(let form): return "uploadMultipartFormData \(form.parts.count)"
        case .uploadMultipart(let parts): return "uploadMultipart \(parts.count)"
        case .uploadCompositeMultipartFormData(let form, let urlParameters):
            return "uploadCompositeMultipartFormData \(form.parts.count) \(urlParameters.count)"
        case .uploadCompositeMultipart(let parts, let urlParameters):
            return "uploadCompositeMultipart \(parts.count) \(urlParameters.count)"
        case .downloadDestination: return "downloadDestination"
        case .downloadParameters(let parameters, _, _): return "downloadParameters \(parameters.count)"
        }
    }

    struct Cases: CompatibilityNames {
        @available(*, deprecated)
        func check() {
            let parameters: [String: Any] = ["id": 1]
            let parts = [MultipartFormBodyPart(provider: .data(Data()), name: "a")]
            let deprecated: [Task] = [
                .uploadMultipart(parts), .uploadCompositeMultipart(parts, urlParameters: parameters),
            ]
            #expect(
                (TaskTests.all() + deprecated).map(TaskTests.name) == [
                    "requestPlain", "requestData 0", "requestJSONEncodable", "requestCustomJSONEncodable JSONEncoder",
                    "requestParameters 1", "requestCompositeData 0 1", "requestCompositeParameters 1 1", "uploadFile a",
                    "uploadMultipartFormData 1", "uploadCompositeMultipartFormData 1 1", "downloadDestination",
                    "downloadParameters 1", "uploadMultipart 1", "uploadCompositeMultipart 1 1",
                ]
            )
        }
    }

    @Test("It has fourteen cases, two of which are deprecated")
    func cases() throws { try check(Cases()) }
}
