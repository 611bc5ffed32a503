import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Session {
    /// Sends a request and writes the response's body into a file.
    ///
    /// The file is written beside its destination and moved there when it is whole, so that nothing half done is ever found
    /// there. Any status is a response, and its body goes into the file.
    ///
    /// - Parameters:
    ///   - request: The request, as for ``data(for:body:progress:uploadProgress:)``.
    ///   - destination: Asked for the file's place when the response's head is there.
    ///   - progress: Called as the body arrives, not more often than is of use.
    /// - Returns: The response, without data.
    /// - Throws: ``DownloadError`` for what stands in the file's way, and what
    ///   ``data(for:body:progress:uploadProgress:)`` throws.
    public func download(
        _ request: any URLRequestConvertible,
        to destination: @escaping DownloadRequest.Destination,
        progress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        do {
            return try await download(request, to: destination, accepting: { _ in true }, progress: progress)
        } catch let failure as DownloadFailure {
            throw failure.error
        }
    }

    /// - Parameter accepts: Says which status makes a file; the body of any other is collected in memory.
    /// - Throws: ``DownloadFailure`` once there is a response.
    package func download(
        _ request: any URLRequestConvertible,
        to destination: @escaping DownloadRequest.Destination,
        accepting accepts: @escaping @Sendable (Int) -> Bool,
        progress: ProgressHandler?
    ) async throws -> SessionResponse {
        let urlRequest = try request.asURLRequest()
        let transportRequest = try transportRequest(for: urlRequest, bufferLimit: 0)
        let first = try await transport.send(transportRequest)
        let response = SessionResponse(first, to: urlRequest)
        guard accepts(first.status) else {
            return try await collect(response, TransportBodyStream(first.body))
        }
        do {
            guard let head = response.makeHTTPURLResponse() else {
                throw URLError.exchange(.badURL, url: urlRequest.url)
            }
            var download = try await Download(
                first,
                to: transportRequest,
                at: destination(Self.temporaryFile(), head),
                progress: progress
            ) { [transport] headers in
                var request = transportRequest
                for field in headers { request.headers[field.name] = field.value }
                return try await transport.send(request)
            }
            try await download.run(first)
            return response
        } catch let other as Download.OtherAnswer {
            let answer = SessionResponse(other.response, to: urlRequest)
            // Where every status makes a file, this one would be taken for the rest of it.
            guard !accepts(answer.statusCode) else {
                let error = URLError.exchange(
                    .badServerResponse,
                    url: urlRequest.url,
                    reason: "The server answered the request for the rest of the file with status \(answer.statusCode)."
                )
                throw DownloadFailure(error: error, response: answer)
            }
            return try await collect(answer, TransportBodyStream(other.response.body))
        } catch {
            throw DownloadFailure(error: error, response: response)
        }
    }

    /// A place that nothing is at, for destinations that leave the file where it is.
    private static func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("Moya-\(UUID().uuidString).download")
    }
}

/// A download that failed after the response's head had come.
package struct DownloadFailure: Error {
    /// What failed.
    package let error: any Error
    /// The head.
    package let response: SessionResponse?
}
