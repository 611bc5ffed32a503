import Foundation
import MoyaHTTP

extension HAR {
    /// Returns the archive with secrets masked, such as the cookies and tokens of a browser's recording.
    public func masking(_ secrets: HARSecrets) -> HAR {
        var archive = self
        archive.entries = entries.map { $0.masking(secrets) }
        archive.customFields = customFields.masking(secrets)
        archive.creator.customFields = creator.customFields.masking(secrets)
        archive.browser?.customFields = browser?.customFields.masking(secrets) ?? CustomFields()
        archive.pages = pages.map { page in
            var page = page
            page.title = FieldMask(secrets).text(page.title)
            page.customFields = page.customFields.masking(secrets)
            page.pageTimings.customFields = page.pageTimings.customFields.masking(secrets)
            return page
        }
        return archive
    }
}

extension HAR.Entry {
    /// Returns the entry with secrets masked; each secret is masked at all places of the entry.
    public func masking(_ secrets: HARSecrets) -> HAR.Entry {
        guard !secrets.isOff else { return self }
        let found = FoundSecrets()
        var entry = self
        entry.request = request.masking(secrets, found)
        entry.response = response.masking(secrets, found)
        entry.customFields = customFields.masking(secrets, found)
        entry.timings.customFields = timings.customFields.masking(secrets, found)
        entry.comment = comment.map { FieldMask(secrets, found: found).text($0) }
        entry.webSocketMessages = webSocketMessages.map { $0.masking(secrets, found) }
        let scrubber = SecretScrubber(found)
        guard !scrubber.isEmpty else { return entry }
        entry.request.scrub(scrubber)
        entry.response.scrub(scrubber)
        entry.customFields.scrub(scrubber)
        entry.timings.customFields.scrub(scrubber)
        entry.comment = entry.comment.map { scrubber.scrubbing($0) }
        entry.webSocketMessages = entry.webSocketMessages.map { message in message.changing { scrubber.scrubbing($0) } }
        return entry
    }
}

extension HAR.WebSocketMessage {
    /// Returns the message with secrets masked, as in a body of JSON.
    package func masking(_ secrets: HARSecrets) -> HAR.WebSocketMessage { masking(secrets, FoundSecrets()) }

    fileprivate func masking(_ secrets: HARSecrets, _ found: FoundSecrets) -> HAR.WebSocketMessage {
        guard !secrets.isOff else { return self }
        let mask = BodyMask(secrets, mimeType: "application/json", found: found)
        return changing { mask.data($0) }
    }

    fileprivate func changing(_ change: (Data) -> Data) -> HAR.WebSocketMessage {
        var message = self
        message.data = BodyMask.text(data, opcode == Self.textOpcode ? nil : "base64", changing: change)
        return message
    }
}

extension HAR.Request {
    /// Returns the request with secrets masked; each secret is masked at all places of the request.
    public func masking(_ secrets: HARSecrets) -> HAR.Request {
        guard !secrets.isOff else { return self }
        let found = FoundSecrets()
        var request = masking(secrets, found)
        request.scrub(SecretScrubber(found))
        return request
    }

    fileprivate func masking(_ secrets: HARSecrets, _ found: FoundSecrets) -> HAR.Request {
        let mask = FieldMask(secrets, found: found)
        var request = self
        request.url = mask.url(url)
        request.headers = headers.map { mask.header($0).maskingMembers(secrets, found) }
        request.queryString = mask.parameters(queryString).map { $0.maskingMembers(secrets, found) }
        request.cookies = cookies.map { mask.cookie($0, in: headers).maskingMembers(secrets, found) }
        request.customFields = customFields.masking(secrets, found)
        request.comment = comment.map { mask.text($0) }
        if var body = postData {
            let names = body.params.map(\.name)
            body.params = body.params.map { parameter in
                var parameter = parameter
                parameter.value = parameter.value.map { mask.value($0, of: parameter.name, beside: names) }
                parameter.customFields = parameter.customFields.masking(secrets, found)
                return parameter
            }
            let text = BodyMask(secrets, mimeType: body.mimeType, found: found)
            (body.text, body.encoding) = text.text(body.text, body.encoding)
            body.customFields = body.customFields.masking(secrets, found)
            request.postData = body
        }
        return request
    }

    fileprivate mutating func scrub(_ scrubber: SecretScrubber) {
        guard !scrubber.isEmpty else { return }
        url = scrubber.scrubbing(url: url)
        headers = headers.map { $0.scrubbingHeader(scrubber) }
        queryString = queryString.map { $0.scrubbing(scrubber) }
        cookies = cookies.map { $0.scrubbing(scrubber) }
        customFields.scrub(scrubber)
        comment = comment.map { scrubber.scrubbing($0) }
        guard var body = postData else { return }
        body.params = body.params.map { parameter in
            var parameter = parameter
            parameter.value = parameter.value.map { scrubber.scrubbing($0) }
            parameter.fileName = parameter.fileName.map { scrubber.scrubbing($0) }
            parameter.comment = parameter.comment.map { scrubber.scrubbing($0) }
            parameter.customFields.scrub(scrubber)
            return parameter
        }
        body.text = body.text.map { BodyMask.text($0, body.encoding, changing: { scrubber.scrubbing($0) }) }
        body.comment = body.comment.map { scrubber.scrubbing($0) }
        body.customFields.scrub(scrubber)
        postData = body
    }
}

extension HAR.Response {
    /// Returns the response with secrets masked; each secret is masked at all places of the response.
    public func masking(_ secrets: HARSecrets) -> HAR.Response {
        guard !secrets.isOff else { return self }
        let found = FoundSecrets()
        var response = masking(secrets, found)
        response.scrub(SecretScrubber(found))
        return response
    }

    fileprivate func masking(_ secrets: HARSecrets, _ found: FoundSecrets) -> HAR.Response {
        let mask = FieldMask(secrets, found: found)
        var response = self
        response.headers = headers.map { mask.header($0).maskingMembers(secrets, found) }
        response.cookies = cookies.map { mask.cookie($0, in: headers).maskingMembers(secrets, found) }
        response.redirectURL = mask.url(redirectURL)
        response.error = error.map { mask.text($0) }
        response.comment = comment.map { mask.text($0) }
        response.customFields = customFields.masking(secrets, found)
        response.content.customFields = content.customFields.masking(secrets, found)
        let body = BodyMask(secrets, mimeType: content.mimeType, found: found)
        (response.content.text, response.content.encoding) = body.text(content.text, content.encoding)
        return response
    }

    fileprivate mutating func scrub(_ scrubber: SecretScrubber) {
        guard !scrubber.isEmpty else { return }
        statusText = scrubber.scrubbing(statusText)
        headers = headers.map { $0.scrubbingHeader(scrubber) }
        cookies = cookies.map { $0.scrubbing(scrubber) }
        redirectURL = scrubber.scrubbing(url: redirectURL)
        error = error.map { scrubber.scrubbing($0) }
        comment = comment.map { scrubber.scrubbing($0) }
        customFields.scrub(scrubber)
        content.customFields.scrub(scrubber)
        content.comment = content.comment.map { scrubber.scrubbing($0) }
        content.text = content.text.map { BodyMask.text($0, content.encoding, changing: { scrubber.scrubbing($0) }) }
    }
}

extension HAR.Field {
    fileprivate func maskingMembers(_ secrets: HARSecrets, _ found: FoundSecrets) -> HAR.Field {
        var field = self
        field.customFields = customFields.masking(secrets, found)
        return field
    }

    fileprivate func scrubbing(_ scrubber: SecretScrubber) -> HAR.Field {
        var field = self
        field.value = scrubber.scrubbing(value)
        field.comment = comment.map { scrubber.scrubbing($0) }
        field.customFields.scrub(scrubber)
        return field
    }

    fileprivate func scrubbingHeader(_ scrubber: SecretScrubber) -> HAR.Field {
        var field = self
        field.value =
            value.contains("://")
            ? scrubber.scrubbing(url: value) : scrubber.scrubbing(value, ofHeader: name)
        field.comment = comment.map { scrubber.scrubbing($0) }
        field.customFields.scrub(scrubber)
        return field
    }
}

extension HAR.Cookie {
    fileprivate func scrubbing(_ scrubber: SecretScrubber) -> HAR.Cookie {
        var cookie = self
        cookie.path = path.map { scrubber.scrubbing($0) }
        cookie.comment = comment.map { scrubber.scrubbing($0) }
        cookie.customFields.scrub(scrubber)
        return cookie
    }

    fileprivate func maskingMembers(_ secrets: HARSecrets, _ found: FoundSecrets) -> HAR.Cookie {
        var cookie = self
        cookie.customFields = customFields.masking(secrets, found)
        return cookie
    }
}
