extension HTTPTask {
    /// Whether the response's body is written to a file.
    var isDownload: Bool {
        switch self {
        case .downloadDestination, .downloadParameters: true
        case .requestParameters:
            switch ExtendedTask(of: self)?.kind {
            case .gzipped(let task), .query(let task, _, _): task.isDownload
            case .body, nil: false
            }
        default: false
        }
    }
}
