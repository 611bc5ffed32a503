import Foundation

extension MultipartFormData {
    /// Returns the upload that streams the form.
    ///
    /// - Throws: ``MoyaError/parameterEncoding(_:)`` with ``TargetMisuse`` or ``MultipartError``.
    func transfer(method: Moya.Method) throws(MoyaError) -> Transfer {
        guard !parts.isEmpty else { throw .parameterEncoding(TargetMisuse.formHasNoParts) }
        guard method.supportsMultipart else { throw .parameterEncoding(TargetMisuse.methodTakesNoForm(method)) }
        do throws(MultipartError) {
            let form = MultipartBody(
                boundary: boundary,
                parts: try parts.map { part throws(MultipartError) in try part.encoded() }
            )
            return .upload(try form.body(), form: form)
        } catch {
            throw .parameterEncoding(error)
        }
    }
}

extension MultipartFormBodyPart {
    fileprivate func encoded() throws(MultipartError) -> MultipartBody.Part {
        if let body = provider.carriedBody { return part(body) }
        return switch provider {
        case .data(let data):
            part(.data(data))
        case .file(let file):
            // Both or none, as in Moya 15.
            if fileName != nil, mimeType != nil { part(.file(file)) } else { try .init(name: name, file: file) }
        case .stream(let stream, let length):
            part(.stream(stream, length: Int64(clamping: length)))
        }
    }

    private func part(_ body: HTTPBody) -> MultipartBody.Part {
        MultipartBody.Part(name: name, fileName: fileName, mimeType: mimeType, body: body)
    }
}

extension TargetMisuse {
    fileprivate static let formHasNoParts = TargetMisuse(
        target: nil,
        property: "task",
        problem: "its multipart form has no parts",
        remedy: "give it at least one part, or use another task"
    )

    fileprivate static func methodTakesNoForm(_ method: Moya.Method) -> TargetMisuse {
        TargetMisuse(
            target: nil,
            property: "method",
            problem: "a multipart form can't be sent with \(method.rawValue)",
            remedy: "use POST, PUT, PATCH or CONNECT"
        )
    }
}

extension Method {
    /// Whether a multipart form may be sent with this method: POST, PUT, PATCH and CONNECT.
    public var supportsMultipart: Bool {
        switch self {
        case .post, .put, .patch, .connect: true
        default: false
        }
    }
}
