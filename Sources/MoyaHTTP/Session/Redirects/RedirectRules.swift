import Foundation
import HTTPTypes

/// The rules for following a redirect response (RFC 9110, section 15.4).
enum RedirectRules {
    /// Returns the next request, without the headers of a dropped body, or nil if the response is not a redirect to
    /// follow.
    ///
    /// 300 requires a choice by the user, 304 is for caches, 305 and 306 are obsolete (RFC 9110, sections 15.4.1
    /// and 15.4.5 to 15.4.7). A response without a valid ``RedirectLocation`` is not followed.
    static func next(after request: RedirectRequest, status: Int, headers: HTTPFields) -> RedirectRequest? {
        guard [301, 302, 303, 307, 308].contains(status),
            let url = RedirectLocation.url(in: headers, base: request.url)
        else { return nil }
        var next = request
        next.url = url
        switch status {
        case 301, 302:
            // Sections 15.4.2 and 15.4.3: only POST is changed to GET, as in browsers.
            if request.method == .post {
                next.method = .get
                next.removeBody()
            }
        case 303:
            // Section 15.4.4: the other resource is retrieved.
            if request.method != .head { next.method = .get }
            if request.hasBody || request.method != next.method { next.removeBody() }
        default:
            // Sections 15.4.8 and 15.4.9: method and body are kept.
            break
        }
        return next
    }
}
