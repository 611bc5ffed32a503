import Foundation
import MoyaHAR

/// What is expected of a part of a form.
struct ExpectedPart: Sendable {
    let name: String
    let data: Data
    /// `nil` if it is not compared.
    let fileName: String?

    /// In what the parts of this name differ from those that were asked, the first from the first.
    static func differences(_ expected: [ExpectedPart], from seen: SeenRequest) -> [RequestDifference] {
        var asked = Dictionary(grouping: seen.parts, by: \.name).mapValues { $0[...] }
        return expected.flatMap { $0.differences(from: asked[$0.name]?.popFirst(), secrets: seen.secrets) }
    }

    private func differences(from asked: SeenRequest.Part?, secrets: HARSecrets) -> [RequestDifference] {
        let isSecret = secrets.hides(name)
        guard let asked else {
            let shown = isSecret ? HARSecrets.placeholder : Self.shown(data, secrets)
            return [RequestDifference(.part(name), shown, nil)]
        }
        var found: [RequestDifference] = []
        if let fileName, fileName != asked.fileName {
            found.append(
                RequestDifference(
                    .fileName(part: name),
                    fileName.debugDescription,
                    asked.fileName.map { HARDifference.short($0).debugDescription }
                )
            )
        }
        if data != asked.data, data != Data(HARSecrets.placeholder.utf8) {
            found.append(isSecret ? Self.secret(name) : difference(from: asked.data, secrets))
        }
        return found
    }

    private static func secret(_ name: String) -> RequestDifference {
        RequestDifference(.part(name), HARSecrets.placeholder, HARSecrets.placeholder)
    }

    private func difference(from asked: Data, _ secrets: HARSecrets) -> RequestDifference {
        guard let old = String(data: data, encoding: .utf8), let new = String(data: asked, encoding: .utf8) else {
            return .bytes(.part(name), data, asked)
        }
        let mask = FieldMask(secrets)
        let (first, second) = HARDifference.short(mask.url(old), mask.url(new))
        return RequestDifference(.part(name), first.debugDescription, second.debugDescription)
    }

    private static func shown(_ data: Data, _ secrets: HARSecrets) -> String {
        String(data: data, encoding: .utf8).map { HARDifference.short(FieldMask(secrets).url($0)).debugDescription }
            ?? RequestDifference.count(data.count)
    }
}
