import Moya

/// A request for a file, which replaces a previous file when it is complete.
struct Download: TargetType {
    var source: URL
    var file: URL

    var baseURL: URL { source }
    var path: String { "" }
    var method: Moya.Method { .get }
    var task: HTTPTask {
        .download(to: file, options: [.createIntermediateDirectories, .removePreviousFile, .resumesWhenInterrupted])
    }
    var headers: [String: String]? { nil }
    // Without it the page of an error, such as 404, would replace the file.
    var validationType: ValidationType { .successCodes }
}

extension MoyaProvider<Download> {
    /// Downloads a file, and reports the progress.
    ///
    /// If the download is cancelled or interrupted, the next one of the same URL to the same file continues.
    func download(_ source: URL, to file: URL, report: (ProgressResponse) -> Void) async throws(MoyaError) {
        for try await progress in requestWithProgress(Download(source: source, file: file)) { report(progress) }
    }
}
