import Foundation

// Names of Alamofire 4, which code for Moya 13 and older reached.
extension DownloadRequest {
    /// The name of ``Options``.
    @available(*, deprecated, renamed: "Options")
    public typealias DownloadOptions = Options

    /// The name of ``Destination``.
    @available(*, deprecated, renamed: "Destination")
    public typealias DownloadFileDestination = Destination

    /// The name of ``suggestedDownloadDestination(for:in:options:)``.
    @available(*, deprecated, renamed: "suggestedDownloadDestination(for:in:)")
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        with domain: FileManager.SearchPathDomainMask
    ) -> Destination {
        suggestedDownloadDestination(for: directory, in: domain)
    }
}

extension URLEncoding {
    /// The encoding that ``default`` is.
    @available(*, deprecated, renamed: "default")
    public static var methodDependent: URLEncoding { .default }
}

/// The type of a retrier's answer in Alamofire 4.
@available(*, unavailable, message: "Write retry(_:for:dueTo:completion:), whose completion takes a RetryResult.")
public typealias RequestRetryCompletion = @Sendable (_ shouldRetry: Bool, _ timeDelay: Double) -> Void
