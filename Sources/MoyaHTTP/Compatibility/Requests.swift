import Foundation

// Names from Alamofire 4, which were used with Moya 13 and earlier.
extension DownloadRequest {
    /// The old name of ``Options``.
    @available(*, deprecated, renamed: "Options")
    public typealias DownloadOptions = Options

    /// The old name of ``Destination``.
    @available(*, deprecated, renamed: "Destination")
    public typealias DownloadFileDestination = Destination

    /// Returns a destination; the old form of ``suggestedDownloadDestination(for:in:options:)``.
    @available(*, deprecated, renamed: "suggestedDownloadDestination(for:in:)")
    public static func suggestedDownloadDestination(
        for directory: FileManager.SearchPathDirectory = .documentDirectory,
        with domain: FileManager.SearchPathDomainMask
    ) -> Destination {
        suggestedDownloadDestination(for: directory, in: domain)
    }
}

extension URLEncoding {
    /// The old name of ``default``.
    @available(*, deprecated, renamed: "default")
    public static var methodDependent: URLEncoding { .default }
}

/// The completion of a retrier in Alamofire 4.
@available(*, unavailable, message: "Write retry(_:for:dueTo:completion:), whose completion takes a RetryResult.")
public typealias RequestRetryCompletion = @Sendable (_ shouldRetry: Bool, _ timeDelay: Double) -> Void
