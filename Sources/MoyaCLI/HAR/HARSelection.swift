import ArgumentParser
import Foundation
import MoyaHAR

/// A selection of the exchanges of a recording, and their order.
struct HARSelection: Sendable {
    /// The statuses that are shown; all if it is empty.
    var statuses: [HARStatusFilter] = []
    /// The methods that are shown, ignoring case; all if it is empty.
    var methods: [String] = []
    /// A text that must occur in the host's name.
    var host: String?
    /// The minimum duration in milliseconds.
    var minimumDuration: Double?
    /// A text that must occur in the URL, the headers, the bodies, the error or the comment, ignoring case.
    var text: String?
    /// The order; `nil` for the order of the file.
    var order: HAROrder?
    var isReversed = false

    /// Returns the selected rows in the selected order.
    func rows(of rows: [HARReport.Row]) -> [HARReport.Row] {
        let selected = rows.filter { row in
            (statuses.isEmpty || statuses.contains { $0.contains(row) })
                && (methods.isEmpty
                    || methods.contains { $0.caseInsensitiveCompare(row.entry.request.method) == .orderedSame })
                && host.map { Self.hostName(of: row).localizedCaseInsensitiveContains($0) } ?? true
                && minimumDuration.map { row.duration >= $0 } ?? true
                && text.map { row.contains($0) } ?? true
        }
        let sorted = order.map { order in selected.sorted { order.isOrdered($0, before: $1) } } ?? selected
        return isReversed ? sorted.reversed() : sorted
    }

    private static func hostName(of row: HARReport.Row) -> Substring {
        row.origin.range(of: "://").map { row.origin[$0.upperBound...] } ?? Substring(row.origin)
    }
}

/// The orders of exchanges; equal exchanges keep their order in the file.
enum HAROrder: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// The earliest first.
    case start
    /// The slowest first.
    case time
    /// The largest response first.
    case size
    case status, method, url

    func isOrdered(_ one: HARReport.Row, before other: HARReport.Row) -> Bool {
        let order: (Bool, Bool) =
            switch self {
            case .start: (one.start < other.start, other.start < one.start)
            case .time: (one.duration > other.duration, other.duration > one.duration)
            case .size: ((one.size ?? -1) > (other.size ?? -1), (other.size ?? -1) > (one.size ?? -1))
            case .status:
                (
                    one.entry.response.status < other.entry.response.status,
                    other.entry.response.status < one.entry.response.status
                )
            case .method:
                (
                    one.entry.request.method < other.entry.request.method,
                    other.entry.request.method < one.entry.request.method
                )
            case .url:
                (one.entry.request.url < other.entry.request.url, other.entry.request.url < one.entry.request.url)
            }
        return order.0 || !order.1 && one.number < other.number
    }
}

/// A filter for statuses: a code such as `404`, a class such as `4xx`, `failed` for errors and error statuses, or `cancelled`.
enum HARStatusFilter: Equatable, Sendable {
    case code(Int)
    case hundreds(Int)
    case failed
    case cancelled

    func contains(_ row: HARReport.Row) -> Bool {
        switch self {
        case .code(let code): row.entry.response.status == code
        case .hundreds(let digit): row.entry.response.status / 100 == digit
        case .failed: row.isFailure
        case .cancelled: row.isCancelled
        }
    }
}

extension HARStatusFilter: ExpressibleByArgument {
    init?(argument: String) {
        switch argument.lowercased() {
        case "failed": self = .failed
        case "cancelled": self = .cancelled
        case let text where text.count == 3 && text.hasSuffix("xx"):
            guard let digit = text.first?.wholeNumberValue, (1...9).contains(digit) else { return nil }
            self = .hundreds(digit)
        default:
            guard let code = Int(argument), (100...999).contains(code) else { return nil }
            self = .code(code)
        }
    }
}

extension HARReport.Row {
    /// Returns whether a text occurs in the request or in the response.
    fileprivate func contains(_ text: String) -> Bool {
        let (request, response) = (entry.request, entry.response)
        var texts: [String?] = [request.method, request.url, response.statusText, response.error, entry.comment]
        texts += (request.headers + response.headers).map { "\($0.name): \($0.value)" }
        texts += [request.postData?.data, response.content.data].map { $0.map { String(decoding: $0, as: UTF8.self) } }
        return texts.contains { $0?.localizedCaseInsensitiveContains(text) == true }
    }
}
