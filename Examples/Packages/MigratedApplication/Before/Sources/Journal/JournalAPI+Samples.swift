import Foundation

extension JournalAPI {
    var sampleData: Data {
        switch self {
        case .login, .refresh:
            return #"{"access_token": "sample", "refresh_token": "refresh"}"#.data(using: .utf8)!
        case .entries:
            let entries = #"[{"id": 1, "title": "Sunset", "created_at": "2021-06-01T20:00:00Z"}]"#
            return #"{"data": {"entries": \#(entries)}}"#.data(using: .utf8)!
        case .create:
            return #"{"data": {"id": 2, "title": "Rain", "created_at": "2021-06-02T08:00:00Z"}}"#.data(using: .utf8)!
        case .delete, .upload, .export:
            return Data()
        }
    }
}
