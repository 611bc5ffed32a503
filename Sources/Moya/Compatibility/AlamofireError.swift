import Foundation

/// Alamofire's error type, which code for Moya 15 reads and throws under the name `AFError`.
///
/// The library does not throw it. `asAFError` creates it from an error of the library; an error that an application throws arrives
/// unchanged, for example in ``MoyaError/parameterEncoding(_:)``. The module `MoyaAlamofire` declares the name `AFError`.
public enum AlamofireError: Error {
    /// A form or a file could not be prepared for an upload.
    case createUploadableFailed(error: any Error)
    /// A request could not be created.
    case createURLRequestFailed(error: any Error)
    /// A downloaded file could not be moved to its destination.
    case downloadedFileMoveFailed(error: any Error, source: URL, destination: URL)
    /// The request was cancelled.
    case explicitlyCancelled
    /// A value is not a URL.
    case invalidURL(url: any CustomStringConvertible & Sendable)
    /// A multipart form could not be encoded.
    case multipartEncodingFailed(reason: MultipartEncodingFailureReason)
    /// Parameters could not be encoded.
    case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
    /// An `Encodable` value could not be encoded.
    case parameterEncoderFailed(reason: ParameterEncoderFailureReason)
    /// An adapter failed.
    case requestAdaptationFailed(error: any Error)
    /// A retrier failed the request.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// The response was not valid.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// The response's data could not be converted.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// The server is not trusted.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)
    /// The session was released.
    case sessionDeinitialized
    /// The session was invalidated.
    case sessionInvalidated(error: (any Error)?)
    /// The exchange failed, as a rule with a `URLError`.
    case sessionTaskFailed(error: any Error)
    /// The request is not valid.
    case urlRequestValidationFailed(reason: URLRequestValidationFailureReason)

    /// The reason for which a multipart form could not be encoded.
    public enum MultipartEncodingFailureReason: Sendable {
        /// The URL of a part is not a file URL.
        case bodyPartURLInvalid(url: URL)
        /// The URL of a part has no file name.
        case bodyPartFilenameInvalid(in: URL)
        /// A file cannot be reached.
        case bodyPartFileNotReachable(at: URL)
        /// A file is a folder.
        case bodyPartFileIsDirectory(at: URL)
        /// A file of this name exists.
        case outputStreamFileAlreadyExists(at: URL)
        /// The form could not be written.
        case outputStreamWriteFailed(error: any Error)
        /// A part could not be read.
        case inputStreamReadFailed(error: any Error)
    }

    /// The reason for which parameters could not be encoded.
    public enum ParameterEncodingFailureReason: Sendable {
        /// The request has no URL.
        case missingURL
        /// The parameters are not JSON.
        case jsonEncodingFailed(error: any Error)
        /// An encoding of the application failed.
        case customEncodingFailed(error: any Error)
    }

    /// The reason for which an `Encodable` value could not be encoded.
    public enum ParameterEncoderFailureReason: Sendable {
        /// A part of a request that an encoder needs.
        public enum RequiredComponent: Sendable {
            /// The URL.
            case url
            /// The method.
            case httpMethod(rawValue: String)
        }

        /// The request lacks a part.
        case missingRequiredComponent(RequiredComponent)
        /// The encoder failed.
        case encoderFailed(error: any Error)
    }

    /// The reason for which a response was not valid.
    public enum ResponseValidationFailureReason: Sendable {
        /// There is no file.
        case dataFileNil
        /// The file could not be read.
        case dataFileReadFailed(at: URL)
        /// There is no content type.
        case missingContentType(acceptableContentTypes: [String])
        /// The content type is not accepted.
        case unacceptableContentType(acceptableContentTypes: [String], responseContentType: String)
        /// The status is not accepted.
        case unacceptableStatusCode(code: Int)
        /// A validation of the application failed.
        case customValidationFailed(error: any Error)
    }

    /// The reason for which a response's data could not be converted.
    public enum ResponseSerializationFailureReason: Sendable {
        /// There is no data.
        case inputDataNilOrZeroLength
        /// There is no file.
        case inputFileNil
        /// The file could not be read.
        case inputFileReadFailed(at: URL)
        /// The data is not text in the encoding.
        case stringSerializationFailed(encoding: String.Encoding)
        /// The data is not JSON.
        case jsonSerializationFailed(error: any Error)
        /// The data could not be decoded.
        case decodingFailed(error: any Error)
        /// A serializer of the application failed.
        case customSerializationFailed(error: any Error)
        /// The response is empty, and the type has no empty value.
        case invalidEmptyResponse(type: String)
    }

    /// The reason for which a server is not trusted.
    public enum ServerTrustFailureReason: Sendable {
        /// There is no evaluator for the host.
        case noRequiredEvaluator(host: String)
        /// There are no certificates to compare with.
        case noCertificatesFound
        /// There are no keys to compare with.
        case noPublicKeysFound
        /// An evaluation failed.
        case customEvaluationFailed(error: any Error)
    }

    /// The reason for which a request is not valid.
    public enum URLRequestValidationFailureReason: Sendable {
        /// A GET request has a body.
        case bodyDataInGETRequest(Data)
    }
}

extension AlamofireError {
    /// Whether the error is ``sessionDeinitialized``.
    public var isSessionDeinitializedError: Bool { if case .sessionDeinitialized = self { true } else { false } }
    /// Whether the error is ``sessionInvalidated(error:)``.
    public var isSessionInvalidatedError: Bool { if case .sessionInvalidated = self { true } else { false } }
    /// Whether the error is ``explicitlyCancelled``.
    public var isExplicitlyCancelledError: Bool { if case .explicitlyCancelled = self { true } else { false } }
    /// Whether the error is ``invalidURL(url:)``.
    public var isInvalidURLError: Bool { if case .invalidURL = self { true } else { false } }
    /// Whether the error is ``parameterEncodingFailed(reason:)``.
    public var isParameterEncodingError: Bool { if case .parameterEncodingFailed = self { true } else { false } }
    /// Whether the error is ``parameterEncoderFailed(reason:)``.
    public var isParameterEncoderError: Bool { if case .parameterEncoderFailed = self { true } else { false } }
    /// Whether the error is ``multipartEncodingFailed(reason:)``.
    public var isMultipartEncodingError: Bool { if case .multipartEncodingFailed = self { true } else { false } }
    /// Whether the error is ``requestAdaptationFailed(error:)``.
    public var isRequestAdaptationError: Bool { if case .requestAdaptationFailed = self { true } else { false } }
    /// Whether the error is ``responseValidationFailed(reason:)``.
    public var isResponseValidationError: Bool { if case .responseValidationFailed = self { true } else { false } }
    /// Whether the error is ``responseSerializationFailed(reason:)``.
    public var isResponseSerializationError: Bool {
        if case .responseSerializationFailed = self { true } else { false }
    }
    /// Whether the error is ``serverTrustEvaluationFailed(reason:)``.
    public var isServerTrustEvaluationError: Bool {
        if case .serverTrustEvaluationFailed = self { true } else { false }
    }
    /// Whether the error is ``requestRetryFailed(retryError:originalError:)``.
    public var isRequestRetryError: Bool { if case .requestRetryFailed = self { true } else { false } }
    /// Whether the error is ``createUploadableFailed(error:)``.
    public var isCreateUploadableError: Bool { if case .createUploadableFailed = self { true } else { false } }
    /// Whether the error is ``createURLRequestFailed(error:)``.
    public var isCreateURLRequestError: Bool { if case .createURLRequestFailed = self { true } else { false } }
    /// Whether the error is ``downloadedFileMoveFailed(error:source:destination:)``.
    public var isDownloadedFileMoveError: Bool { if case .downloadedFileMoveFailed = self { true } else { false } }
    /// Whether the error is ``sessionTaskFailed(error:)``.
    public var isSessionTaskError: Bool { if case .sessionTaskFailed = self { true } else { false } }

    /// The status that was not accepted.
    public var responseCode: Int? {
        if case .responseValidationFailed(.unacceptableStatusCode(let code)) = self { code } else { nil }
    }

    /// The content type that was not accepted.
    public var responseContentType: String? {
        if case .responseValidationFailed(.unacceptableContentType(_, let type)) = self { type } else { nil }
    }

    /// The underlying error.
    public var underlyingError: (any Error)? {
        switch self {
        case .createUploadableFailed(let error), .createURLRequestFailed(let error), .sessionTaskFailed(let error),
            .downloadedFileMoveFailed(let error, _, _), .requestAdaptationFailed(let error),
            .requestRetryFailed(let error, _), .multipartEncodingFailed(.outputStreamWriteFailed(let error)),
            .multipartEncodingFailed(.inputStreamReadFailed(let error)),
            .parameterEncodingFailed(.jsonEncodingFailed(let error)),
            .parameterEncodingFailed(.customEncodingFailed(let error)),
            .parameterEncoderFailed(.encoderFailed(let error)),
            .responseValidationFailed(.customValidationFailed(let error)),
            .responseSerializationFailed(.jsonSerializationFailed(let error)),
            .responseSerializationFailed(.decodingFailed(let error)),
            .responseSerializationFailed(.customSerializationFailed(let error)),
            .serverTrustEvaluationFailed(.customEvaluationFailed(let error)):
            error
        case .sessionInvalidated(let error): error
        default: nil
        }
    }

    /// The URL of the error.
    public var url: URL? {
        switch self {
        case .invalidURL(let url): url as? URL
        case .multipartEncodingFailed(let reason):
            switch reason {
            case .bodyPartURLInvalid(let url), .bodyPartFilenameInvalid(let url), .bodyPartFileNotReachable(let url),
                .bodyPartFileIsDirectory(let url), .outputStreamFileAlreadyExists(let url):
                url
            case .outputStreamWriteFailed, .inputStreamReadFailed: nil
            }
        default: nil
        }
    }

    /// The URL of the downloaded file that could not be moved; `asAFError` sets it to the destination.
    public var sourceURL: URL? { if case .downloadedFileMoveFailed(_, let url, _) = self { url } else { nil } }

    /// The URL to which a downloaded file could not be moved.
    public var destinationURL: URL? { if case .downloadedFileMoveFailed(_, _, let url) = self { url } else { nil } }
}

extension AlamofireError: MaskedError {
    /// A sentence that describes the error, followed by the description of the underlying error.
    public var errorDescription: String? {
        [sentence, underlyingError?.localizedDescription].compactMap { $0 }.joined(separator: " ")
    }

    private var sentence: String {
        switch self {
        case .createUploadableFailed: "The upload could not be prepared."
        case .createURLRequestFailed: "The request could not be created."
        case .downloadedFileMoveFailed(_, _, let destination): "The file could not be moved to \"\(destination.path)\"."
        case .explicitlyCancelled: "The request was cancelled."
        case .invalidURL(let url): "\"\(SecretMask.standard.masking(url: "\(url)"))\" is not a URL."
        case .multipartEncodingFailed: "The form could not be encoded."
        case .parameterEncodingFailed(.missingURL): "The parameters could not be encoded: the request has no URL."
        case .parameterEncodingFailed, .parameterEncoderFailed: "The parameters could not be encoded."
        case .requestAdaptationFailed: "The request could not be adapted."
        case .requestRetryFailed: "The request could not be retried."
        case .responseValidationFailed(.unacceptableStatusCode(let code)): "The status \(code) is not accepted."
        case .responseValidationFailed: "The response is not valid."
        case .responseSerializationFailed: "The response's data could not be converted."
        case .serverTrustEvaluationFailed: "The server is not trusted."
        case .sessionDeinitialized: "The session was released."
        case .sessionInvalidated: "The session was invalidated."
        case .sessionTaskFailed: "The request failed."
        case .urlRequestValidationFailed: "A GET request cannot have a body."
        }
    }
}

extension Error {
    /// The corresponding error of Alamofire; `nil` if there is none.
    ///
    /// A `URLError` is ``AlamofireError/sessionTaskFailed(error:)``, or ``AlamofireError/explicitlyCancelled``; a status that was not
    /// accepted is ``AlamofireError/responseValidationFailed(reason:)``. The value is `nil` for an error of an adapter or a
    /// retrier, which is not wrapped.
    @available(*, deprecated, message: "MoyaError.underlying holds the error itself: write `error as? URLError`.")
    @_disfavoredOverload
    public var asAFError: AlamofireError? { AlamofireError(self) }
}

extension AlamofireError {
    /// Creates the error of Alamofire that corresponds to an error of the library; `nil` if there is none.
    package init?(_ error: any Error) {
        switch error {
        case let error as AlamofireError: self = error
        case let error as URLError: self.init(error)
        case let error as UnacceptableStatusError:
            self = .responseValidationFailed(reason: .unacceptableStatusCode(code: error.status))
        case MoyaError.statusCode(let response):
            self = .responseValidationFailed(reason: .unacceptableStatusCode(code: response.statusCode))
        case let error as JSONEncoding.Error:
            self = .parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        case let error as URLEncoding.Error:
            self = .parameterEncodingFailed(reason: .customEncodingFailed(error: error))
        case let error as DownloadError:
            guard let url = error.url else { return nil }
            self = .downloadedFileMoveFailed(error: error, source: url, destination: url)
        case let error as MultipartError: self = .createUploadableFailed(error: error)
        case let error as RequestBodyError: self = .createUploadableFailed(error: error)
        case let error as RequestValidationError:
            switch error.reason {
            case .invalidURL(let url): self = .invalidURL(url: url)
            case .bodyNotAllowed: self = .urlRequestValidationFailed(reason: .bodyDataInGETRequest(Data()))
            default: self = .createURLRequestFailed(error: error)
            }
        default: return nil
        }
    }

    private init(_ error: URLError) {
        if error.code == .cancelled {
            self = .explicitlyCancelled
        } else if let trust = error.serverTrustError, trust.evaluator != nil || trust.reason == .noEvaluator {
            self = .serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: trust))
        } else {
            self = .sessionTaskFailed(error: error)
        }
    }
}

extension DownloadError {
    /// The destination to which a file could not be moved.
    fileprivate var url: URL? {
        switch self {
        case .fileExists(let url), .folderMissing(let url), .notWritable(let url), .destinationIsFolder(let url): url
        case .diskFull, .invalidDestination, .tooLarge, .partFileLost, .couldNotWrite: nil
        }
    }
}
