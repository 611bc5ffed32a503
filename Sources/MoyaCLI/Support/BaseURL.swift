import ArgumentParser
import Foundation
import Moya

/// The URL of a server as a command-line argument.
struct BaseURL: Equatable {
    let url: URL

    init(argument: String) throws {
        guard
            let url = URL(strictly: argument),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host, !host.isEmpty
        else {
            throw ValidationError("Give an absolute http or https URL, such as http://127.0.0.1:8080.")
        }
        // The demo would not send a user name, a password, a query or a fragment, and would print them in the transcript.
        guard url.user == nil, url.password == nil, url.query == nil, url.fragment == nil else {
            throw ValidationError("Give a URL without user name, query and fragment.")
        }
        self.url = url
    }
}
