import Foundation

/// What all containers of one encoding share.
final class FormContext {
    let options: URLEncodedFormEncoder
    /// The first failure in a call that cannot throw.
    private(set) var failure: URLEncodedFormEncoder.Error?

    init(options: URLEncodedFormEncoder) { self.options = options }

    /// Notes a failure in a call that cannot throw.
    func fail(_ error: URLEncodedFormEncoder.Error) { failure = failure ?? error }

    /// Whether there may be a container here; if not, that is noted, and what is written there is lost.
    func allowsContainer(at position: FormPosition) -> Bool {
        if position.level > AnyParameter.deepestLevel { fail(.nestedTooDeeply) }
        return position.level <= AnyParameter.deepestLevel
    }

    /// What a value becomes.
    func value<T: Encodable>(of value: T, at position: FormPosition) throws -> FormValue {
        if let failure { throw failure }
        if let text = try text(of: value, at: position) { return .text(text) }
        guard position.level <= AnyParameter.deepestLevel else { throw URLEncodedFormEncoder.Error.nestedTooDeeply }
        let encoder = FormEncoder(context: self, position: position, keysAreData: value is any KeyedByData)
        try value.encode(to: encoder)
        return encoder.value
    }

    /// The text of a value that does not encode itself. A function of its own: what it needs of the stack is needed
    /// once, not at every level.
    @inline(never)
    private func text<T: Encodable>(of value: T, at position: FormPosition) throws -> String? {
        switch value {
        case let scalar as any FormScalar: try scalar.formText(boolEncoding: options.boolEncoding, at: position)
        case let date as Date: try options.dateEncoding.text(for: date, at: position)
        case let data as Data: try options.dataEncoding.text(for: data)
        default: nil
        }
    }
}

/// Dictionaries: their keys are the caller's data, not names in code.
private protocol KeyedByData {}
extension Dictionary: KeyedByData {}

extension URLEncodedFormEncoder.DataEncoding {
    /// `nil` where `Data` encodes itself.
    fileprivate func text(for data: Data) throws -> String? {
        switch self {
        case .deferredToData: nil
        case .base64: data.base64EncodedString()
        case .custom(let text): try text(data)
        }
    }
}

extension URLEncodedFormEncoder.DateEncoding {
    /// `nil` where `Date` encodes itself.
    fileprivate func text(for date: Date, at position: FormPosition) throws -> String? {
        switch self {
        case .deferredToDate:
            return nil
        case .secondsSince1970:
            return try Self.text(date.timeIntervalSince1970, at: position)
        case .millisecondsSince1970:
            return try Self.text(date.timeIntervalSince1970 * 1000, at: position)
        case .iso8601:
            guard date.hasFourDigitYear else {
                throw URLEncodedFormEncoder.Error.unrepresentableDate(path: position.text)
            }
            return date.formatted(.iso8601)
        case .formatted(let formatter):
            guard date.timeIntervalSinceReferenceDate.isFinite else {
                throw URLEncodedFormEncoder.Error.unrepresentableDate(path: position.text)
            }
            return formatter.string(from: date)
        case .custom(let text):
            return try text(date)
        }
    }

    private static func text(_ number: Double, at position: FormPosition) throws -> String {
        guard number.isFinite else { throw URLEncodedFormEncoder.Error.unrepresentableDate(path: position.text) }
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
