import Foundation
import HTTPTypes

/// What a response of the class 3xx makes of a request (RFC 9110, section 15.4). Pure.
enum RedirectRules {
    /// The next request, with all headers that have nothing to do with a body that is left behind; nil if the response is
    /// the answer.
    ///
    /// 300 is for the user to choose from, 304 is for caches, 305 and 306 are obsolete (RFC 9110, sections 15.4.1 and 15.4.5
    /// to 15.4.7). Without a ``RedirectLocation`` there is nowhere to go.
    static func next(after request: RedirectRequest, status: Int, headers: HTTPFields) -> RedirectRequest? {
        guard [301, 302, 303, 307, 308].contains(status),
            let url = RedirectLocation.url(in: headers, base: request.url)
        else { return nil }
        var next = request
        next.url = url
        switch status {
        case 301, 302:
            // Sections 15.4.2 and 15.4.3: as browsers always did, and for POST only.
            if request.method == .post {
                next.method = .get
                next.removeBody()
            }
        case 303:
            // Section 15.4.4: the other resource is looked at.
            if request.method != .head { next.method = .get }
            if request.hasBody || request.method != next.method { next.removeBody() }
        default:
            // Sections 15.4.8 and 15.4.9: the same request once more.
            break
        }
        return next
    }
}
