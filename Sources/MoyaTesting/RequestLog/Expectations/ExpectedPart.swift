import Foundation
import MoyaHAR

/// The expectation for a part of a multipart form.
struct ExpectedPart: Sendable {
    let name: String
    let data: Data
    /// The file name; `nil` if it is not compared.
    let fileName: String?

    /// Returns the differences from a request's parts; parts with the same name are compared in order.
    static func differences(_ expected: [ExpectedPart], from seen: CapturedRequest) -> [RequestDifference] {
        var actual = Dictionary(grouping: seen.parts) { ExactText($0.name) }.mapValues { $0[...] }
        return expected.flatMap { $0.differences(from: actual[ExactText($0.name)]?.popFirst(), secrets: seen.secrets) }
    }

    private func differences(from actual: CapturedRequest.Part?, secrets: HARSecrets) -> [RequestDifference] {
        let isSecret = secrets.hides(name)
        guard let actual else {
            let shown = isSecret ? HARSecrets.placeholder : Self.shown(data, secrets)
            return [RequestDifference(.part(name), shown, nil)]
        }
        var found: [RequestDifference] = []
        if let fileName, !(actual.fileName?.isExactly(fileName) ?? false) {
            found.append(
                RequestDifference(
                    .fileName(part: name),
                    fileName.debugDescription,
                    actual.fileName.map { HARDifference.short($0).debugDescription }
                )
            )
        }
        if data != actual.data, data != Data(HARSecrets.placeholder.utf8) {
            found.append(isSecret ? Self.secret(name) : difference(from: actual.data, secrets))
        }
        return found
    }

    private static func secret(_ name: String) -> RequestDifference {
        RequestDifference(.part(name), HARSecrets.placeholder, HARSecrets.placeholder)
    }

    private func difference(from actual: Data, _ secrets: HARSecrets) -> RequestDifference {
        guard let old = String(data: data, encoding: .utf8), let new = String(data: actual, encoding: .utf8) else {
            return .bytes(.part(name), data, actual)
        }
        let mask = { (text: String) in Self.masked(text, secrets) }
        let (first, second) = HARDifference.short(mask(old), mask(new))
        return RequestDifference(.part(name), first.debugDescription, second.debugDescription)
    }

    private static func shown(_ data: Data, _ secrets: HARSecrets) -> String {
        String(data: data, encoding: .utf8).map { HARDifference.short(masked($0, secrets)).debugDescription }
            ?? RequestDifference.count(data.count)
    }

    /// Masks secrets in a part's text, which may be JSON or a URL.
    static func masked(_ text: String, _ secrets: HARSecrets) -> String {
        let body = BodyMask(secrets, mimeType: "").data(Data(text.utf8))
        return FieldMask(secrets).url(String(decoding: body, as: UTF8.self))
    }
}
