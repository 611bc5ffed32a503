import Foundation

extension RequestValidationError: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? { text(sentence) }

    private var sentence: String {
        switch reason {
        case .invalidURL(let url) where URL(string: url)?.hasValidPort == false:
            "The port of \"\(url.prefix { $0 != "?" && $0 != "#" })\" is not in 1...65535: correct it, or leave it out."
        case .invalidURL(let url):
            "The URL \"\(url.prefix { $0 != "?" && $0 != "#" })\" is not absolute: give it a scheme and a host, as in \"https://example.com\"."
        case .unsupportedScheme(let scheme):
            "URLs with the scheme \"\(scheme)\" are not supported: use \"http\" or \"https\"."
        case .invalidMethod(let method):
            "\"\(method)\" is not an HTTP method: a method is letters, digits and !#$%&'*+-.^_`|~, without spaces."
        case .invalidHeaderName(let name):
            "\"\(name)\" is not a header name: a name is letters, digits and !#$%&'*+-.^_`|~, without spaces."
        case .invalidHeaderValue(let name):
            "The value of the header \"\(name)\" has a line break or another control character: leave it out, or "
                + "escape it."
        case .bodyNotAllowed(let method):
            "A \(method) request cannot have a body here: choose another method, or put the parameters into the URL."
        case .bodySequenceNotSupported:
            "URLSession cannot send an async sequence on Linux: use NIOTransport, or send data or a file."
        }
    }
}

extension RequestDefinitionError {
    /// Returns the text with the origin as its prefix, and with secrets in URLs masked.
    package func text(_ sentence: String) -> String {
        SecretMask.standard.maskingQueries(in: origin.text + sentence)
    }
}
