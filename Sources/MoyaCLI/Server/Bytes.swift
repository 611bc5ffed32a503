import Foundation
import Moya

/// The requests for large transfers.
enum Bytes {
    /// Downloads the given number of bytes to a file.
    case download(Int64, to: URL)
    /// Streams the given number of bytes.
    case stream(Int64)
    /// Sends a file as the body.
    case upload(URL)
    /// Sends a file and a line of text as a form.
    case form(URL, note: String)
}

extension Bytes: TargetType {
    // This is the URL of the real API; the demo's providers replace it (see DemoProviders).
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
            .uploadMultipart([
                MultipartFormData(provider: .data(Data(note.utf8)), name: "note"),
                MultipartFormData(provider: .file(file), name: "file"),
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
