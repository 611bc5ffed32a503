import Foundation
import Moya

/// What is asked for when much is to be carried.
enum Bytes {
    /// So many bytes, into a file.
    case download(Int64, to: URL)
    /// So many bytes, as they come.
    case stream(Int64)
    /// A file as the body.
    case upload(URL)
    /// A file and a line of text as a form.
    case form(URL, note: String)
}

extension Bytes: TargetType {
    // Where the API really is. The demo's providers ask another server (see DemoProviders).
    var baseURL: URL { GitHub.zen.baseURL }

    var path: String {
        switch self {
        case .download(let count, _), .stream(let count): "/bytes/\(count)"
        case .upload, .form: "/bytes"
        }
    }

    var method: Moya.Method {
        switch self {
        case .download, .stream: .get
        case .upload, .form: .post
        }
    }

    var task: HTTPTask {
        switch self {
        case .download(_, let file):
            .download(to: file)
        case .stream:
            .requestPlain
        case .upload(let file):
            .uploadFile(file)
        case .form(let file, let note):
            .uploadMultipartFormData([
                MultipartFormBodyPart(provider: .data(Data(note.utf8)), name: "note"),
                MultipartFormBodyPart(provider: .file(file), name: "file"),
            ])
        }
    }

    var validationType: ValidationType { .successCodes }

    var headers: [String: String]? {
        switch self {
        case .download, .stream: ["Accept": "application/octet-stream"]
        case .upload: ["Accept": "application/json", "Content-Type": "application/octet-stream"]
        case .form: ["Accept": "application/json"]
        }
    }
}
