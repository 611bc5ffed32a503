import Foundation
import Moya
import Testing

@Suite("Task has the interface of the contract")
struct TaskTests {
    struct Item: Encodable {
        let id: Int
    }

    static let destination: DownloadDestination = { url, _ in (url, [.removePreviousFile]) }

    /// Returns a task of each case.
    ///
    /// Parameters and bodies have types that are not Sendable, as in code for the original.
    static func all() -> [Task] {
        let parameters: [String: Any] = ["id": 1]
        let encodable: Encodable = Item(id: 1)
        let parts = [MultipartFormData(provider: .data(Data()), name: "a")]
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
            .uploadMultipart(parts),
            .uploadCompositeMultipart(parts, urlParameters: parameters),
            .downloadDestination(destination),
            .downloadParameters(
                parameters: parameters,
                encoding: URLEncoding.queryString,
                destination: destination
            ),
        ]
    }

    /// Returns the name of a case; the switch is exhaustive, so an additional case would not compile.
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
        case .uploadMultipart(let parts): return "uploadMultipart \(parts.count)"
        case .uploadCompositeMultipart(let parts, let urlParameters):
            return "uploadCompositeMultipart \(parts.count) \(urlParameters.count)"
        case .downloadDestination: return "downloadDestination"
        case .downloadParameters(let parameters, _, _): return "downloadParameters \(parameters.count)"
        }
    }

    @Test("Task has the twelve cases of Moya 15.0.3")
    func cases() {
        #expect(
            Self.all().map(Self.name) == [
                "requestPlain", "requestData 0", "requestJSONEncodable", "requestCustomJSONEncodable JSONEncoder",
                "requestParameters 1", "requestCompositeData 0 1", "requestCompositeParameters 1 1", "uploadFile a",
                "uploadMultipart 1", "uploadCompositeMultipart 1 1", "downloadDestination", "downloadParameters 1",
            ]
        )
    }

    // MARK: Cases that are created with one type and matched with another

    enum Upload: TargetType {
        case photo
        case album(String)

        static let part = MultipartFormData(
            provider: .data(Data("x".utf8)),
            name: "photo",
            fileName: "a.png",
            mimeType: "image/png"
        )

        var baseURL: URL { return URL(string: "https://shop.test")! }
        var path: String { return "photos" }
        var method: Moya.Method { return .post }
        var task: Task {
            switch self {
            case .photo:
                return .uploadMultipart([Upload.part])
            case .album(let name):
                return .uploadCompositeMultipart([Upload.part], urlParameters: ["album": name])
            }
        }
        var headers: [String: String]? { return nil }
    }

    @Test("plugins and endpoint closures can match a target's form, and get its parts")
    func matching() {
        for task in [
            Upload.photo.task, MultiTarget(Upload.photo).task,
            MoyaProvider<Upload>.defaultEndpointMapping(for: .photo).task,
            MoyaProvider<Upload>().endpoint(.photo).task,
        ] {
            if case .uploadMultipart(let parts) = task {
                #expect(parts == [Upload.part] && parts[0].fileName == "a.png")
            } else {
                Issue.record("\(task)")
            }
        }
        for task in [Upload.album("2026").task, MoyaProvider<Upload>().endpoint(.album("2026")).task] {
            if case let .uploadCompositeMultipart(parts, urlParameters: urlParameters) = task {
                #expect(parts == [Upload.part] && urlParameters["album"] as? String == "2026")
            } else {
                Issue.record("\(task)")
            }
        }
    }

    @Test("an endpoint closure can append parts to a target's form and replace the task")
    func appending() throws {
        let token = MultipartFormData(provider: .data(Data("t".utf8)), name: "token")
        let provider = MoyaProvider<Upload>(
            endpointClosure: { target in
                let endpoint = MoyaProvider.defaultEndpointMapping(for: target)
                switch endpoint.task {
                case .uploadMultipart(var parts):
                    parts.append(token)
                    return endpoint.replacing(task: .uploadMultipart(parts))
                case .uploadCompositeMultipart(let parts, var urlParameters):
                    urlParameters["signed"] = true
                    return endpoint.replacing(
                        task: .uploadCompositeMultipart(parts + [token], urlParameters: urlParameters)
                    )
                default:
                    return endpoint
                }
            }
        )
        guard case .uploadMultipart(let parts) = provider.endpoint(.photo).task,
            case .uploadCompositeMultipart(let others, let urlParameters) = provider.endpoint(.album("a b")).task
        else {
            Issue.record("another case")
            return
        }
        #expect(parts.map(\.name) == ["photo", "token"] && others == parts)
        #expect(urlParameters.count == 2)
        let url = try provider.endpoint(.album("a b")).urlRequest().url
        #expect(url?.absoluteString == "https://shop.test/photos?album=a%20b&signed=1")
    }

    @Test("a case of Task can be used as a function of its associated values")
    func functions() {
        let forms = [[Upload.part], []]
        #expect(forms.map(Task.uploadMultipart).map(Self.name) == ["uploadMultipart 1", "uploadMultipart 0"])
        let make: ([MultipartFormData], [String: Any]) -> Task = Task.uploadCompositeMultipart
        #expect(Self.name(make([], ["a": 1])) == "uploadCompositeMultipart 0 1")
    }
}
