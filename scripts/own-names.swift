// Code that uses names of its own, from another module (own-module.swift), that are Alamofire's, too. Moya 15 does not export them,
// and `import Moya` must not make them ambiguous: the compiler says nothing.
import Moya
import Own

func parameters(_ parameters: Parameters, _ any: Any) -> Parameters { parameters.merging(["a": any]) { $1 } }
func response(_ one: DataResponse<Int>, _ other: AFDataResponse<Int>) {}
func url(_ url: URLConvertible, _ handler: CachedResponseHandler) {}
let number: Int = AF
let ownDataRequest = DataRequest()
let ownUploadRequest = UploadRequest()
let ownAFError = AFError()
let ownNetworkReachabilityManager = NetworkReachabilityManager()
let ownSessionManager = SessionManager()
let ownSessionDelegate = SessionDelegate()
let ownRequestSetup = RequestSetup()
let ownResponseCacher = ResponseCacher()
let ownAlamofireNotifications = AlamofireNotifications()
let ownClosureEventMonitor = ClosureEventMonitor()
let ownRevocationTrustEvaluator = RevocationTrustEvaluator()
let ownServerTrustPolicy = ServerTrustPolicy()
let ownServerTrustPolicyManager = ServerTrustPolicyManager()
let ownRequestRetryCompletion = RequestRetryCompletion()
