import Foundation

extension CURLCommand {
    /// Returns an option for each part; `nil` if curl cannot send one of them exactly.
    func formOptions(for form: MultipartBody) -> [String]? {
        guard !form.parts.isEmpty else { return nil }
        var room = Self.dataLimit
        var options: [String] = []
        for part in form.parts {
            guard let option = formOption(for: part, room: &room) else { return nil }
            options.append(option)
        }
        return options
    }

    /// Returns whether a part in memory has a secret name.
    func hidesPart(of form: MultipartBody) -> Bool {
        form.parts.contains { part in
            mask.hides(part.name ?? "") && part.body.segments.contains { $0.byteCount > 0 }
        }
    }

    /// Returns the option for a part; `room` is the number of bytes that may still be included.
    private func formOption(for part: MultipartBody.Part, room: inout Int) -> String? {
        // In curl, the first equals sign ends the name, and an empty name is omitted.
        guard let field = part.formField, !field.name.isEmpty, !field.name.contains("="),
            part.body.segments.count <= 1, let suffix = suffix(fileName: field.fileName, mimeType: field.mimeType)
        else { return nil }
        let name = field.name
        // A file needs a media type; otherwise curl selects one.
        let isFile = field.fileName != nil
        guard !isFile || field.mimeType != nil else { return nil }
        let from = isFile ? "@" : "<"
        let segment = part.body.segments.first ?? .bytes(Data())
        switch segment.content {
        case .file:
            guard field.mimeType != nil, let file = segment.file else { return nil }
            return "-F \("\(name)=\(from)\(file.curlQuoted)\(suffix)".shellWord)"
        case .bytes(let data) where mask.hides(part.name ?? "") || data.count <= room:
            let data =
                mask.hides(part.name ?? "")
                ? Data(SecretMask.placeholder.utf8) : mask.body(data, contentType: field.mimeType)
            room -= data.count
            guard let text = data.shellText else {
                let end = suffix.isEmpty ? "" : suffix.shellWord
                return "-F \("\(name)=\(from)".shellWord)<(\(data.base64Command))\(end)"
            }
            if suffix.isEmpty { return "--form-string \("\(name)=\(text)".shellWord)" }
            return "-F \("\(name)=\(text.curlQuoted)\(suffix)".shellWord)"
        case .bytes, .stream, .sequence:
            return "-F \("\(name)=\(from)\(missingFile(segment.account).curlQuoted)\(suffix)".shellWord)"
        }
    }

    /// Returns the suffix after the content of a part; `nil` if curl would interpret it differently.
    private func suffix(fileName: String?, mimeType: String?) -> String? {
        guard mimeType?.isPlainMIMEType ?? true else { return nil }
        let type = mimeType.map { ";type=\($0)" } ?? ""
        return (fileName.map { ";filename=\($0.curlQuoted)" } ?? "") + type
    }
}

extension String {
    /// The text quoted for a value in curl's form option.
    fileprivate var curlQuoted: String {
        "\"\(replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\""))\""
    }

    /// Whether the text is a media type such as `text/plain` or `text/plain; charset=utf-8`.
    ///
    /// Parts of other types could be options for curl.
    fileprivate var isPlainMIMEType: Bool {
        let parts = components(separatedBy: "; charset=")
        let types = parts[0].components(separatedBy: "/")
        let isToken = { (text: String) in (1...100).contains(text.utf8.count) && text.utf8.allSatisfy(\.isInMIMEType) }
        return types.count == 2 && parts.count <= 2 && types.allSatisfy(isToken)
            && parts.dropFirst().allSatisfy(isToken)
    }
}

extension UInt8 {
    fileprivate var isInMIMEType: Bool { isAlphanumeric || ".+-_".utf8.contains(self) }
}
