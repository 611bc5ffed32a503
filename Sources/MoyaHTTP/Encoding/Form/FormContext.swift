import Foundation

/// The state shared by all containers of an encoding.
final class FormContext {
    let options: URLEncodedFormEncoder
    /// The first error in a method that cannot throw.
    private(set) var failure: URLEncodedFormEncoder.Error?

    init(options: URLEncodedFormEncoder) { self.options = options }

    /// Records an error in a method that cannot throw.
    func fail(_ error: URLEncodedFormEncoder.Error) { failure = failure ?? error }

    /// Returns whether a container is allowed; otherwise records an error, and the content of the container is
    /// lost.
    func allowsContainer(at position: FormPosition) -> Bool {
        if position.level > AnyParameter.deepestLevel { fail(.nestedTooDeeply) }
        return position.level <= AnyParameter.deepestLevel
    }

    /// Returns the encoded form of a value.
    func value<T: Encodable>(of value: T, at position: FormPosition) throws -> FormValue {
        if let failure { throw failure }
        if let text = try text(of: value, at: position) { return .text(text) }
        guard position.level <= AnyParameter.deepestLevel else { throw URLEncodedFormEncoder.Error.nestedTooDeeply }
        let encoder = FormEncoder(context: self, position: position, keysAreData: value is any KeyedByData)
        try value.encode(to: encoder)
        return encoder.value
    }

    /// Returns the text of a value that does not encode itself.
    ///
    /// It is not inlined, so that its stack frame is not part of every recursion level.
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

/// A marker for dictionaries, whose keys are data rather than property names.
private protocol KeyedByData {}
extension Dictionary: KeyedByData {}

extension URLEncodedFormEncoder.DataEncoding {
    /// Returns the text, or `nil` if `Data` encodes itself.
    fileprivate func text(for data: Data) throws -> String? {
        switch self {
        case .deferredToData: nil
        case .base64: data.base64EncodedString()
        case .custom(let text): try text(data)
        }
    }
}

extension URLEncodedFormEncoder.DateEncoding {
    /// Returns the text, or `nil` if `Date` encodes itself.
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
