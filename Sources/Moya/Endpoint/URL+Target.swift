import Foundation

extension URL {
    /// A target's URL: its path appended to its base URL, whose query stays at the end.
    ///
    /// The path is escaped, so `?` becomes `%3F` and `%` becomes `%25`. An empty path gives the base URL untouched.
    public init<T: TargetType>(target: T) {
        let path = target.path
        self = path.isEmpty ? target.baseURL : target.baseURL.appendingPathComponent(path)
    }
}
