// swift-format-ignore-file
// Seed 004, the basic usage. The code between `// seed … {` and `// } seed …` is copied from the seed
// unchanged.
import Foundation
import Moya

// seed 004, block 1 {
enum MyService {
    case zen
    case showUser(id: Int)
    case createUser(firstName: String, lastName: String)
    case updateUser(id: Int, firstName: String, lastName: String)
    case showAccounts
}
// } seed 004, block 1

// seed 004, block 2 {
// MARK: - TargetType Protocol Implementation
extension MyService: TargetType {
    var baseURL: URL { return URL(string: "https://api.myservice.com")! }
    var path: String {
        switch self {
        case .zen:
            return "/zen"
        case .showUser(let id), .updateUser(let id, _, _):
            return "/users/\(id)"
        case .createUser(_, _):
            return "/users"
        case .showAccounts:
            return "/accounts"
        }
    }
    var method: Moya.Method {
        switch self {
        case .zen, .showUser, .showAccounts:
            return .get
        case .createUser, .updateUser:
            return .post
        }
    }
    var task: Task {
        switch self {
        case .zen, .showUser, .showAccounts: // Send no parameters
            return .requestPlain
        case let .updateUser(_, firstName, lastName):  // Always sends parameters in URL, regardless of which HTTP method is used
            return .requestParameters(parameters: ["first_name": firstName, "last_name": lastName], encoding: URLEncoding.queryString)
        case let .createUser(firstName, lastName): // Always send parameters as JSON in request body
            return .requestParameters(parameters: ["first_name": firstName, "last_name": lastName], encoding: JSONEncoding.default)
        }
    }
    var sampleData: Data {
        switch self {
        case .zen:
            return "Half measures are as bad as nothing at all.".utf8Encoded
        case .showUser(let id):
            return "{\"id\": \(id), \"first_name\": \"Harry\", \"last_name\": \"Potter\"}".utf8Encoded
        case .createUser(let firstName, let lastName):
            return "{\"id\": 100, \"first_name\": \"\(firstName)\", \"last_name\": \"\(lastName)\"}".utf8Encoded
        case .updateUser(let id, let firstName, let lastName):
            return "{\"id\": \(id), \"first_name\": \"\(firstName)\", \"last_name\": \"\(lastName)\"}".utf8Encoded
        case .showAccounts:
            // Provided you have a file named accounts.json in your bundle.
            guard let url = Bundle.main.url(forResource: "accounts", withExtension: "json"),
                let data = try? Data(contentsOf: url) else {
                    return Data()
            }
            return data
        }
    }
    var headers: [String: String]? {
        return ["Content-type": "application/json"]
    }
}
// MARK: - Helpers
private extension String {
    var urlEscaped: String {
        addingPercentEncoding(withAllowedCharacters: .urlHostAllowed)!
    }

    var utf8Encoded: Data {
        Data(self.utf8)
    }
}
// } seed 004, block 2

enum Seed004 {
    /// The block creates a provider and sends two requests, so `MoyaProvider` names a provider with stubs here.
    enum SendingRequests {
        typealias MoyaProvider<Target: TargetType> = StubbedProvider<Target>

        static func run() -> StubbedProvider<MyService> {
// seed 004, block 3 {
let provider = MoyaProvider<MyService>()
provider.request(.createUser(firstName: "James", lastName: "Potter")) { result in
    // do something with the result (read on for more details)
}

// The full request will result to the following:
// POST https://api.myservice.com/users
// Request body:
// {
//   "first_name": "James",
//   "last_name": "Potter"
// }

provider.request(.updateUser(id: 123, firstName: "Harry", lastName: "Potter")) { result in
    // do something with the result (read on for more details)
}

// The full request will result to the following:
// POST https://api.myservice.com/users/123?first_name=Harry&last_name=Potter
// } seed 004, block 3
            return provider
        }
    }

    static func endpointClosure() -> (MyService) -> Endpoint {
// seed 004, block 4 {
let endpointClosure = { (target: MyService) -> Endpoint in
    return Endpoint(url: URL(target: target).absoluteString, sampleResponseClosure: {.networkResponse(200, target.sampleData)}, method: target.method, task: target.task)
}
// } seed 004, block 4
        return endpointClosure
    }

    static func failureEndpointClosure(shouldTimeout: Bool) -> (MyService) -> Endpoint {
        #if !canImport(Darwin)
            // Foundation's NSError has no initializer without arguments outside of Apple's platforms.
            func NSError() -> Foundation.NSError { Foundation.NSError(domain: "", code: 0) }
        #endif
// seed 004, block 5 {
let failureEndpointClosure = { (target: MyService) -> Endpoint in
    let sampleResponseClosure = { () -> (EndpointSampleResponse) in
        if shouldTimeout {
            return .networkError(NSError())
        } else {
            return .networkResponse(200, target.sampleData)
        }
    }
    return Endpoint(url: URL(target: target).absoluteString, sampleResponseClosure: sampleResponseClosure, method: target.method, task: target.task)
}
// } seed 004, block 5
        return failureEndpointClosure
    }

    /// The block declares `provider` twice: as a property, and at the launch of the application. Each declaration is at the place that
    /// the seed's text describes.
    class Application {
// seed 004, block 6, lines 1 to 2 {
// Tuck this away somewhere where it'll be visible to anyone who wants to use it
var provider: MoyaProvider<MyService>!
// } seed 004, block 6, lines 1 to 2

        func launch(endpointClosure: @escaping (MyService) -> Endpoint) {
// seed 004, block 6, lines 4 to 5 {
// Create this instance at app launch
let provider = MoyaProvider(endpointClosure: endpointClosure)
// } seed 004, block 6, lines 4 to 5
            self.provider = provider
        }
    }

    static func request(_ provider: MoyaProvider<MyService>) {
// seed 004, block 7 {
provider.request(.zen) { result in
    // do something with `result`
}
// } seed 004, block 7
    }

    static func read(_ moyaResponse: Response) {
// seed 004, block 9 {
do {
    try moyaResponse.filterSuccessfulStatusCodes()
    let data = try moyaResponse.mapJSON()
}
catch {
    // show an error to your user
}
// } seed 004, block 9
        #if false
            // This use is not compiled, but it keeps the compiler from warning that the block never uses the value.
            _ = data
        #endif
    }
}
