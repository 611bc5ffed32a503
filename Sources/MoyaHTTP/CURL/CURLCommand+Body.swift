import Foundation

extension CURLCommand {
    /// Returns the options that make curl send a body.
    func options(for body: HTTPBody, contentType: String?) -> [String] {
        // curl adds a content type to a body; an empty header removes it.
        let data = body.data.map { mask.body($0, contentType: contentType) }
        return (contentType == nil ? ["-H \"Content-Type:\""] : []) + [
            data.map(option) ?? option(for: body, contentType)
        ]
    }

    /// Returns an option with which curl fails before it sends anything, and the shell reports what is missing.
    func unwritten(_ what: String) -> String { "--data-binary @- < \(missingFile(what).shellWord)" }

    /// Returns the name of a nonexistent file, which describes the required content.
    func missingFile(_ what: String) -> String { "(put \(what) into a file, and its name here)" }

    private func option(for data: Data) -> String {
        guard data.count <= Self.dataLimit else { return unwritten(BodySegment.bytes(data).account) }
        guard let text = data.shellText else { return "--data-binary @<(\(data.base64Command))" }
        // A leading @ would be the name of a file.
        return "\(text.utf8.first == UInt8(ascii: "@") ? "--data-raw" : "-d") \(text.shellWord)"
    }

    private func option(for body: HTTPBody, _ contentType: String?) -> String {
        let commands = body.segments.compactMap { $0.shellCommand { mask.body($0, contentType: contentType) } }
        let byteCount = body.segments.reduce(0) { $0 + $1.byteCount }
        guard commands.count == body.segments.count, byteCount <= Self.dataLimit else {
            let accounts = body.segments.filter { $0.shellCommand { $0 } == nil }.map(\.account)
            return unwritten(accounts.count == 1 && body.segments.count == 1 ? accounts[0] : "the body")
        }
        if !body.isGzipped, body.segments.count == 1, let file = body.segments[0].file {
            return "--data-binary \("@\(file)".shellWord)"
        }
        let script = commands.isEmpty ? ":" : commands.joined(separator: "; ")
        return "--data-binary @<(\(body.isGzipped ? "{ \(script); } | gzip -c" : script))"
    }
}

extension Data {
    /// The bytes as text, if a command line argument can contain them.
    var shellText: String? {
        // Not String(data:encoding:), which drops a byte order mark.
        let text = String(decoding: self, as: UTF8.self)
        return text.utf8.elementsEqual(self) && !contains(0) ? text : nil
    }

    /// A shell command that prints the bytes.
    var base64Command: String { "echo \(base64EncodedString()) | base64 -d" }
}

extension BodySegment {
    /// The path of a file segment.
    var file: String? {
        if case .file(let url) = content, url.isFileURL { url.path } else { nil }
    }

    /// The number of bytes in memory.
    var byteCount: Int {
        if case .bytes(let data) = content { data.count } else { 0 }
    }

    /// A description of the segment.
    var account: String {
        func supply(_ what: String, _ length: Int64?) -> String {
            length.map { "\(what) (\($0) bytes)" } ?? what
        }
        return switch content {
        case .bytes(let data): "the \(data.count) bytes"
        case .file: "the file"
        case .stream(let stream): supply("the stream", stream.length)
        case .sequence(let sequence): supply("the async sequence", sequence.length)
        }
    }

    /// Returns a shell command that prints the segment; `nil` if only this process can read it.
    fileprivate func shellCommand(masking mask: (Data) -> Data) -> String? {
        switch content {
        case .bytes(let secret):
            let data = mask(secret)
            return data.shellText.map { "printf %s \($0.shellWord)" } ?? data.base64Command
        case .file: return file.map { "cat \($0.shellWord)" }
        case .stream, .sequence: return nil
        }
    }
}
