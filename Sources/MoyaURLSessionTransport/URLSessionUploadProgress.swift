/// The progress of a request body, by the bytes that URLSession has sent.
///
/// URLSession gets the body without its observer, so that bytes in memory and files need not become streams.
struct URLSessionUploadProgress: Sendable {
    private let observer: HTTPBody.ProgressObserver
    private let length: Int64?

    /// Creates the progress of a body.
    ///
    /// - Parameters:
    ///   - observer: The observer of the body.
    ///   - length: The number of bytes, if it is known.
    init(_ observer: HTTPBody.ProgressObserver, length: Int64?) { (self.observer, self.length) = (observer, length) }

    /// Handles bytes that have been sent.
    ///
    /// - Parameter total: The number of bytes since the beginning of the body.
    func didSend(_ total: Int64) { observer.onRead(total, length) }
}

extension HTTPBody {
    /// The body for URLSession, and the observer to which the sent bytes are reported.
    ///
    /// A compressed body keeps its observer and reports the bytes that are read, because fewer bytes are sent.
    var forURLSession: (body: HTTPBody, observer: ProgressObserver?) {
        guard !isGzipped, let progressObserver else { return (self, nil) }
        var body = self
        body.removeProgressObserver()
        return (body, progressObserver)
    }
}
