import Moya

extension MoyaError {
    /// The case's name, so that a test can say which one it wants.
    var name: String {
        switch self {
        case .imageMapping: "imageMapping"
        case .jsonMapping: "jsonMapping"
        case .stringMapping: "stringMapping"
        case .objectMapping: "objectMapping"
        case .encodableMapping: "encodableMapping"
        case .statusCode: "statusCode"
        case .underlying: "underlying"
        case .requestMapping: "requestMapping"
        case .parameterEncoding: "parameterEncoding"
        }
    }
}
