import Foundation
import Moya

/// A target in the style of applications for the original.
enum Shop {
    case list
    case item(Int)
    case order(name: String)
}

extension Shop: TargetType {
    var baseURL: URL { return URL(string: "https://shop.test/v1")! }
    var path: String {
        switch self {
        case .list: return "items"
        case .item(let id): return "items/\(id)"
        case .order: return "orders"
        }
    }
    var method: Moya.Method {
        switch self {
        case .list, .item: return .get
        case .order: return .post
        }
    }
    var task: Task {
        switch self {
        case .list, .item: return .requestPlain
        case .order(let name): return .requestParameters(parameters: ["name": name], encoding: JSONEncoding.default)
        }
    }
    var sampleData: Data { return Data(#"{"id": 1, "name": "tea"}"#.utf8) }
    var headers: [String: String]? { return ["Shop": "1"] }
}

extension Shop {
    static let request = URLRequest(url: URL(string: "https://shop.test/v1/items")!)
    static let head = HTTPURLResponse(url: request.url!, statusCode: 201, httpVersion: nil, headerFields: ["A": "b"])!
}

/// An error of the application.
struct ShopError: Error, Equatable {}
