import Moya

/// Collects the parts of a multipart form.
struct FormParts {
    /// The parts.
    private(set) var parts: [MultipartFormData] = []

    /// Returns the parts with the file at a URL.
    func adding(_ name: String, _ file: URL?) -> FormParts { file.map { adding(name, .file($0)) } ?? self }

    /// Returns the parts with the files at some URLs.
    func adding(_ name: String, _ files: [URL]?) -> FormParts {
        (files ?? []).reduce(self) { $0.adding(name, .file($1)) }
    }

    /// Returns the parts with bytes.
    func adding(_ name: String, _ data: Data?) -> FormParts { data.map { adding(name, .data($0)) } ?? self }

    /// Returns the parts with the text of a value.
    func adding(_ name: String, _ value: (some Encodable)?) -> FormParts {
        value.map { adding(name, .data(Data(PathValue.text($0).utf8))) } ?? self
    }

    /// Returns the parts with the text of each element.
    func adding(_ name: String, _ values: [some Encodable]?) -> FormParts {
        (values ?? []).reduce(self) { $0.adding(name, $1) }
    }

    private func adding(_ name: String, _ provider: MultipartFormData.FormDataProvider) -> FormParts {
        var copy = self
        copy.parts.append(MultipartFormData(provider: provider, name: name))
        return copy
    }
}
