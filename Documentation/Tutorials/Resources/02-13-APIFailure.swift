import Moya

struct APIFailure: Decodable, LocalizedError {
    var message: String
    var errorDescription: String? { message }
}
