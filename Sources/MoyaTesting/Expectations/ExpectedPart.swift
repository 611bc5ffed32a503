import Foundation
import MoyaHAR

/// The expectation for a part of a multipart form.
struct ExpectedPart: Sendable {
    let name: String
    let data: Data
    /// The file name; `nil` if it is not compared.
    let fileName: String?

    /// Returns the differences from a request's parts; parts with the same name are compared in order.
    static func differences(_ expected: [ExpectedPart], from request: CapturedRequest) -> [RequestDifference] {
        var actual = Dictionary(grouping: request.parts) { ExactText($0.name) }.mapValues { $0[...] }
        return expected.flatMap {
            $0.differences(from: actual[ExactText($0.name)]?.popFirst(), secrets: request.secrets)
        }
    }

    private func differences(from actual: CapturedRequest.Part?, secrets: HARSecrets) -> [RequestDifference] {
        let isSecret = secrets.isSecret(name)
        guard let actual else {
            let preview = isSecret ? HARSecrets.placeholder : Self.preview(of: data, secrets)
            return [RequestDifference(.part(name), expected: preview, actual: nil)]
        }
        var found: [RequestDifference] = []
        if let fileName, !(actual.fileName?.isExactly(fileName) ?? false) {
            found.append(
                RequestDifference(
                    .fileName(part: name),
                    expected: fileName.debugDescription,
                    actual: actual.fileName.map { $0.shortened.debugDescription }
                )
            )
        }
        if data != actual.data, data != Data(HARSecrets.placeholder.utf8) {
            found.append(isSecret ? Self.secretDifference(name) : difference(from: actual.data, secrets))
        }
        return found
    }

    private static func secretDifference(_ name: String) -> RequestDifference {
        RequestDifference(.part(name), expected: HARSecrets.placeholder, actual: HARSecrets.placeholder)
    }

    private func difference(from actual: Data, _ secrets: HARSecrets) -> RequestDifference {
        guard let old = String(data: data, encoding: .utf8), let new = String(data: actual, encoding: .utf8) else {
            return .bytes(.part(name), expected: data, actual: actual)
        }
        let mask = { (text: String) in Self.masked(text, secrets) }
        let (first, second) = mask(old).shortened(beside: mask(new))
        return RequestDifference(.part(name), expected: first.debugDescription, actual: second.debugDescription)
    }

    private static func preview(of data: Data, _ secrets: HARSecrets) -> String {
        String(data: data, encoding: .utf8).map { masked($0, secrets).shortened.debugDescription }
            ?? RequestDifference.count(data.count)
    }

    /// Returns a part's text, which may be JSON or a URL, with secrets masked.
    static func masked(_ text: String, _ secrets: HARSecrets) -> String {
        let body = BodyMask(secrets, mimeType: "").data(Data(text.utf8))
        return FieldMask(secrets).url(String(decoding: body, as: UTF8.self))
    }
}
