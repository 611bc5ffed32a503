#if Observability
import Foundation
import HTTPTypes
import MoyaHTTP
import MoyaSecretMasking
import Tracing

/// Decides about the attributes of spans.
struct SpanAttributeRules: Sendable {
    /// A field whose value is an attribute.
    private struct CapturedField: Sendable {
        let name: HTTPField.Name
        let attribute: String
    }

    private let chosen: TracingOptions.Attributes
    private let requestFields: [CapturedField]
    private let responseFields: [CapturedField]
    private let sensitiveQueryKeys: Set<String>

    init(_ options: TracingOptions) {
        chosen = options.attributes
        sensitiveQueryKeys = options.sensitiveQueryKeys
        func captured(_ names: [String], _ prefix: String) -> [CapturedField] {
            names.compactMap { name in
                HTTPField.Name(name).map { CapturedField(name: $0, attribute: prefix + $0.canonicalName) }
            }
        }
        requestFields = captured(options.requestHeaders, "http.request.header.")
        responseFields = captured(options.responseHeaders, "http.response.header.")
    }

    /// Returns the attributes that are known when an exchange begins.
    func ofRequest(
        _ exchange: borrowing InstrumentedExchange,
        method: MethodName,
        urlTemplate: String?
    ) -> SpanAttributes {
        let (url, fields) = (exchange.request.url, exchange.request.headers)
        var attributes: SpanAttributes = [:]
        attributes["http.request.method"] = method.value
        if let original = method.original { attributes["http.request.method_original"] = original }
        if let server = ServerName(of: url, fields) {
            attributes["server.address"] = server.address
            attributes["server.port"] = server.port
        }
        attributes["url.full"] = RedactedURL(sensitiveQueryKeys: sensitiveQueryKeys).text(of: url)
        if let urlTemplate { attributes["url.template"] = urlTemplate }
        if exchange.resendCount > 0 { attributes["http.request.resend_count"] = exchange.resendCount }
        if chosen.contains(.scheme) { attributes["url.scheme"] = url.scheme?.lowercased() }
        if chosen.contains(.userAgent) { attributes["user_agent.original"] = fields[.userAgent] }
        capture(requestFields, of: fields, in: &attributes)
        return attributes
    }

    /// Adds the attributes of a response, and of its connection.
    func add(_ response: TransportResponse, to attributes: inout SpanAttributes) {
        attributes["http.response.status_code"] = response.status
        if let type = ErrorType.of(status: response.status) { attributes["error.type"] = type }
        add(version: response.info?.httpVersion, address: response.info?.remoteAddress, to: &attributes)
        if !responseFields.isEmpty { capture(responseFields, of: response.headers, in: &attributes) }
    }

    /// Adds the attributes of a connection.
    func add(version: String?, address: ResponseInfo.Address?, to attributes: inout SpanAttributes) {
        if let version = ProtocolVersion.of(version) { attributes["network.protocol.version"] = version }
        guard let address else { return }
        attributes["network.peer.address"] = address.ipAddress
        attributes["network.peer.port"] = address.port
        if chosen.contains(.transport) { attributes["network.transport"] = "tcp" }
    }

    /// Adds the attributes of an error without a response, or in the body.
    func add(_ error: any Error, to attributes: inout SpanAttributes) {
        attributes["error.type"] = ErrorType.of(error)
        if let kind = ErrorType.timeoutKind(of: error) { attributes["moya.timeout"] = kind.rawValue }
    }

    /// Adds the size of the request's body, as far as it is known.
    func add(requestBody: HTTPBody?, sent: Int64?, to attributes: inout SpanAttributes) {
        guard chosen.contains(.requestBodySize) else { return }
        if let size = sent ?? requestBody?.inlineData.map({ Int64($0.count) }) {
            attributes["http.request.body.size"] = Int(size)
        }
    }

    /// Adds the size of the response's body.
    func add(responseBodySize: Int64?, to attributes: inout SpanAttributes) {
        guard chosen.contains(.responseBodySize), let responseBodySize else { return }
        attributes["http.response.body.size"] = Int(responseBodySize)
    }

    private func capture(_ captured: [CapturedField], of fields: HTTPFields, in attributes: inout SpanAttributes) {
        for field in captured {
            let values = fields[values: field.name].map {
                SecretMask.standard.value($0, ofHeader: field.name.rawName)
            }
            if !values.isEmpty { attributes[field.attribute] = SpanAttribute.stringArray(values) }
        }
    }
}
#endif
