import Foundation

extension CURLCommand {
    /// An option for each part; `nil` if there is one that curl cannot write as it is written here.
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

    /// Whether a part that is in memory has the name of a secret.
    func hidesPart(of form: MultipartBody) -> Bool {
        form.parts.contains { part in
            mask.hides(part.name ?? "") && part.body.segments.contains { $0.byteCount > 0 }
        }
    }

    /// - Parameter room: How many bytes may still be written out.
    private func formOption(for part: MultipartBody.Part, room: inout Int) -> String? {
        // curl takes the name for ended by the first equals sign, and leaves an empty one out.
        guard let field = part.formField, !field.name.isEmpty, !field.name.contains("="),
            part.body.segments.count <= 1, let suffix = suffix(fileName: field.fileName, mimeType: field.mimeType)
        else { return nil }
        let name = field.name
        // A file for the server is named, and curl finds a type for it if it gets none.
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

    /// What follows a part's content; `nil` if curl would make something else of it.
    private func suffix(fileName: String?, mimeType: String?) -> String? {
        guard mimeType?.isPlainMIMEType ?? true else { return nil }
        let type = mimeType.map { ";type=\($0)" } ?? ""
        return (fileName.map { ";filename=\($0.curlQuoted)" } ?? "") + type
    }
}

extension String {
    /// As curl reads values in a form's option.
    fileprivate var curlQuoted: String {
        "\"\(replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\""))\""
    }

    /// Whether it is a media type such as `text/plain` or `text/plain; charset=utf-8`: of others curl may take a part for an
    /// option of its own.
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
