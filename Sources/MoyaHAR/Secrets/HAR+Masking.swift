import Foundation
import MoyaHTTP

extension HAR {
    /// The archive as it may be shown: a browser's file has live cookies and tokens in it.
    public func masking(_ secrets: HARSecrets) -> HAR {
        var archive = self
        archive.entries = entries.map { $0.masking(secrets) }
        archive.own = own.masking(secrets)
        archive.pages = pages.map { page in
            var page = page
            page.own = page.own.masking(secrets)
            return page
        }
        return archive
    }
}

extension HAR.Entry {
    /// The entry as it may be shown.
    public func masking(_ secrets: HARSecrets) -> HAR.Entry {
        guard !secrets.isOff else { return self }
        var entry = self
        entry.request = request.masking(secrets)
        entry.response = response.masking(secrets)
        entry.own = own.masking(secrets)
        entry.timings.own = timings.own.masking(secrets)
        return entry
    }
}

extension HAR.Request {
    /// The request as it may be shown.
    public func masking(_ secrets: HARSecrets) -> HAR.Request {
        guard !secrets.isOff else { return self }
        let mask = FieldMask(secrets)
        var request = self
        request.url = mask.url(url)
        request.headers = headers.map { mask.header($0) }
        request.queryString = queryString.map { mask.field($0) }
        request.cookies = cookies.map { mask.cookie($0) }
        request.own = own.masking(secrets)
        if var body = postData {
            body.params = body.params.map { parameter in
                var parameter = parameter
                if secrets.hides(parameter.name), parameter.value != nil { parameter.value = HARSecrets.placeholder }
                return parameter
            }
            (body.text, body.encoding) = BodyMask(secrets, mimeType: body.mimeType).text(body.text, body.encoding)
            body.own = body.own.masking(secrets)
            request.postData = body
        }
        return request
    }
}

extension HAR.Response {
    /// The response as it may be shown.
    public func masking(_ secrets: HARSecrets) -> HAR.Response {
        guard !secrets.isOff else { return self }
        let mask = FieldMask(secrets)
        var response = self
        response.headers = headers.map { mask.header($0) }
        response.cookies = cookies.map { mask.cookie($0) }
        response.redirectURL = mask.url(redirectURL)
        response.error = error.map { mask.url($0) }
        response.own = own.masking(secrets)
        response.content.own = content.own.masking(secrets)
        let body = BodyMask(secrets, mimeType: content.mimeType)
        (response.content.text, response.content.encoding) = body.text(content.text, content.encoding)
        return response
    }
}
