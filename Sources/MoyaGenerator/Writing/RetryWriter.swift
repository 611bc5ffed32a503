/// Writes the policies for the retries that a document asks for, as constants, so that all requests share the budget of a policy.
struct RetryWriter {
    private let policies: [RetryHint]
    private let name: String
    private let apiName: String
    private let modifier: String

    init(_ model: APIModel) {
        var policies: [RetryHint] = []
        for case .backoff(let statuses, let delay, let total)? in model.services.flatMap(\.methods).map(\.retry) {
            let policy = RetryHint.backoff(statuses: statuses, maximumDelay: delay, retryPeriod: total)
            if !policies.contains(policy) { policies.append(policy) }
        }
        self.policies = policies
        apiName = model.name
        name = model.configuration.naming.value(Words(of: model.name))
        modifier = model.configuration.access.modifier
    }

    var files: [GeneratedFile] {
        guard !policies.isEmpty else { return [] }
        var lines = CodeLines()
        lines.add("import Moya")
        lines.add()
        lines.block("extension RetryPolicy") { lines in
            for policy in policies {
                lines.separate()
                lines.comment("The retries that \(apiName) recommends.")
                lines.list("\(modifier)static let \(constant(policy)) = RetryPolicy(", Self.arguments(of: policy), ")")
            }
        }
        return [GeneratedFile(path: "Support/RetryPolicy.swift", text: lines.text)]
    }

    /// Returns an expression for `@Retry`.
    func expression(_ hint: RetryHint) -> String { hint == .never ? ".never" : "RetryPolicy.\(constant(hint))" }

    /// Returns a value of `RetryChoice`.
    func choice(_ hint: RetryHint) -> String { hint == .never ? ".never" : ".retrier(RetryPolicy.\(constant(hint)))" }

    private func constant(_ policy: RetryHint) -> String {
        let index = policies.firstIndex(of: policy) ?? 0
        return index == 0 ? name : "\(name)\(index + 1)"
    }

    private static func arguments(of policy: RetryHint) -> [String] {
        guard case .backoff(let statuses, let delay, let total) = policy else { return [] }
        var arguments: [String] = []
        if !statuses.isEmpty { arguments.append("retryableHTTPStatusCodes: \(statuses)") }
        if let delay { arguments.append("maximumDelay: .seconds(\(delay))") }
        if let total { arguments.append("retryPeriod: .seconds(\(total))") }
        return arguments
    }
}
