import Crypto
import Foundation
import Moya

/// Signs the parameters of a request and the texts in its form.
struct RequestSigner {
    let key: String
    let secret: String

    /// Returns the endpoint with the key and the signature in its parameters or form, or with the key in a field if its task has
    /// neither.
    func sign(_ endpoint: Endpoint) -> Endpoint {
        switch endpoint.task {
        case .uploadMultipart(let parts):
            return endpoint.replacing(task: .uploadMultipart(sign(parts)))
        case .uploadCompositeMultipart(let parts, let urlParameters):
            return endpoint.replacing(
                task: .uploadCompositeMultipart(sign(parts), urlParameters: sign(urlParameters))
            )
        case .requestParameters(let parameters, let encoding):
            return endpoint.replacing(task: .requestParameters(parameters: sign(parameters), encoding: encoding))
        case .requestCompositeData(let bodyData, let urlParameters):
            return endpoint.replacing(
                task: .requestCompositeData(bodyData: bodyData, urlParameters: sign(urlParameters))
            )
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let urlParameters):
            return endpoint.replacing(
                task: .requestCompositeParameters(
                    bodyParameters: sign(bodyParameters),
                    bodyEncoding: bodyEncoding,
                    urlParameters: urlParameters
                )
            )
        case .downloadParameters(let parameters, let encoding, let destination):
            return endpoint.replacing(
                task: .downloadParameters(
                    parameters: sign(parameters),
                    encoding: encoding,
                    destination: destination
                )
            )
        case .requestPlain, .requestData, .requestJSONEncodable, .requestCustomJSONEncodable, .uploadFile,
            .downloadDestination:
            return endpoint.adding(newHTTPHeaderFields: ["X-Key": key])
        }
    }

    private func sign(_ parameters: [String: Any]) -> [String: Any] {
        var signed = parameters
        signed["key"] = key
        signed["signature"] = signature(of: signed.map { "\($0.key)=\($0.value)" })
        return signed
    }

    private func sign(_ parts: [MultipartFormData]) -> [MultipartFormData] {
        var signed = parts
        signed.append(MultipartFormData(provider: .data(key.data(using: .utf8)!), name: "key"))
        var texts: [String] = []
        for part in signed {
            // Files and photos are not signed.
            guard case .data(let data) = part.provider, part.fileName == nil, part.mimeType == nil else { continue }
            texts.append("\(part.name)=\(String(decoding: data, as: UTF8.self))")
        }
        let signature = self.signature(of: texts)
        signed.append(MultipartFormData(provider: .data(signature.data(using: .utf8)!), name: "signature"))
        return signed
    }

    /// Returns the HMAC of the sorted texts.
    func signature(of texts: [String]) -> String {
        let message = texts.sorted().joined(separator: "&")
        let key = SymmetricKey(data: secret.data(using: .utf8)!)
        let code = HMAC<Crypto.SHA256>.authenticationCode(for: message.data(using: .utf8)!, using: key)
        return code.map { String(format: "%02x", $0) }.joined()
    }
}
