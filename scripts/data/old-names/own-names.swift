// This code uses declarations of another module (own-module.swift) with names that Alamofire has, too. Moya 15 does not export these
// names, so `import Moya` must not make them ambiguous: the code compiles without messages.
import Moya
import Own
// The library has types with these names, too; a scoped import takes precedence.
import struct Own.HTTPMethod
import struct Own.Manager
import struct Own.Request

func types(_ request: Request, _ method: HTTPMethod, _ manager: Manager) {}
func unavailable(_ request: DataRequest, _ upload: UploadRequest, _ error: AFError, _ delegate: SessionDelegate, _ manager: SessionManager) {}
func unavailable(_ setup: RequestSetup, _ policy: ServerTrustPolicy, _ completion: RequestRetryCompletion, _ cacher: ResponseCacher) {}

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
let ownUploadType = UploadType()
