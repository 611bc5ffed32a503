import Foundation
import Moya

/// A photo service whose uploads are multipart forms.
enum PhotoService: TargetType {
    case upload(photo: Data, caption: String)
    case add(photo: Data, album: String)
    case search(text: String)
    case limits

    var baseURL: URL { return URL(string: "https://photos.example.com")! }

    var path: String {
        switch self {
        case .upload: return "photos"
        case .add(_, let album): return "albums/\(album)/photos"
        case .search: return "search"
        case .limits: return "limits"
        }
    }

    var method: Moya.Method {
        switch self {
        case .upload, .add: return .post
        case .search, .limits: return .get
        }
    }

    var task: Task {
        switch self {
        case .upload(let photo, let caption):
            let text = MultipartFormData(provider: .data(caption.data(using: .utf8)!), name: "caption")
            return .uploadMultipart([PhotoService.part(photo), text])
        case .add(let photo, _):
            return .uploadCompositeMultipart([PhotoService.part(photo)], urlParameters: ["notify": true])
        case .search(let text):
            return .requestParameters(parameters: ["text": text], encoding: URLEncoding.default)
        case .limits:
            return .requestPlain
        }
    }

    var headers: [String: String]? { return nil }

    var sampleData: Data { return "{}".data(using: .utf8)! }

    private static func part(_ photo: Data) -> MultipartFormData {
        return MultipartFormData(provider: .data(photo), name: "photo", fileName: "photo.jpg", mimeType: "image/jpeg")
    }
}
