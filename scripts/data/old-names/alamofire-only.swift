// This code imports Alamofire (as MoyaAlamofire) without Moya, and gets only Alamofire's names. It compiles without messages.
import Alamofire
import Own
import struct Own.HTTPMethod
import struct Own.Manager
import struct Own.Request

func own(_ cancellable: Cancellable, _ image: Image, _ cookie: Cookie, _ response: Response, _ method: Method) {}
func alamofire(_ session: Alamofire.Session, _ headers: HTTPHeaders, _ form: MultipartFormData) {}

func work() async -> Int {
    let task = Task { 1 }
    return await task.value
}
