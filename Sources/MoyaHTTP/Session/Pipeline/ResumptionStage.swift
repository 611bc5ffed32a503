import Foundation
import HTTPTypes

/// Gives a download the function that requests the rest of its file: it sends the last exchange again for a part of the body
/// (RFC 9110, section 14).
struct ResumptionStage: RequestStage {
    let sendExchange: ExchangeHandler
    let redirectStage: RedirectStage

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        var response = try await next(request, context)
        guard let last = context.record.lastExchange else { return response }
        response.rest = RestOfBody(request: last.request) { fields in
            try await requestRest(of: last, setting: fields, context)
        }
        return response
    }

    func isNeeded(for request: UncheckedRequest, context: RequestContext) -> Bool {
        context.bodyHandling.isContinuable
    }

    /// Sends the request of a download again, with other fields.
    ///
    /// The request goes to the URL that the redirects led to. The redirects are followed again if that URL is no longer valid:
    /// the URL of a redirect is for one request only, unless the redirect is permanent (RFC 9110, section 15.4).
    private nonisolated(nonsending) func requestRest(
        of first: RequestRecord.SentExchange,
        setting headers: HTTPFields,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        // An earlier request for the rest may have followed the redirects again.
        let last = context.record.lastExchange ?? first
        let fields = first.request.rangeFields.replaced(by: headers)
        var response = try await sendExchange(last.request.setting(fields), context.with(last.scope))
        let isRedirected = context.redirectCount > 0
        guard RedirectRules.isExpired(by: response.status, isRedirected: isRedirected),
            let original = context.record.originalRequest, original.httpMethod ?? "GET" == "GET"
        else { return response }
        await response.dropBody()
        var request = UncheckedRequest(original)
        request.transportChanges = { sent in
            (sent.idleTimeout, sent.exchangeTimeout) = (first.request.idleTimeout, first.request.exchangeTimeout)
            sent.phaseTimeouts = first.request.phaseTimeouts
            sent.decodingLimits = first.request.decodingLimits
            sent = sent.setting(fields)
        }
        return try await redirectStage.sendAndRedirect(request, context.with(AttemptScope(within: first.scope)))
    }
}

/// The fields that request a part of a file; a name without fields is removed from the request.
private struct RangeFields: Sendable {
    let values: [(name: HTTPField.Name, fields: [HTTPField])]

    /// Returns the fields, replaced by other ones of the same names.
    func replaced(by headers: HTTPFields) -> RangeFields {
        RangeFields(values: values.map { ($0.name, headers.contains($0.name) ? headers[fields: $0.name] : $0.fields) })
    }
}

extension TransportRequest {
    /// The fields that ``DownloadResumption/headers`` may replace.
    fileprivate var rangeFields: RangeFields {
        RangeFields(values: [.range, .ifRange, .acceptEncoding].map { ($0, headers[fields: $0]) })
    }

    /// Returns the request with these fields.
    fileprivate func setting(_ fields: RangeFields) -> TransportRequest {
        var request = self
        for (name, values) in fields.values { request.headers[fields: name] = values }
        return request
    }
}
