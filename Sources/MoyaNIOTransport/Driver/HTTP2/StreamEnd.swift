#if NIO && !canImport(Darwin)
import HTTPTypes

/// The reason why a stream ends while its connection stays open.
enum StreamEnd {
    /// The response is complete.
    case completed(trailers: HTTPFields)
    /// The exchange is over.
    case stopped
    /// The request has failed.
    case failed(StreamFailure)
}
#endif
