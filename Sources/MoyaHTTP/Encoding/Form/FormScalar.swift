import Foundation

/// A value whose encoded form is text without a container.
protocol FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) throws -> String
}

extension FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) -> String { "\(self)" }
}

extension String: FormScalar {}
extension Int: FormScalar {}
extension Int8: FormScalar {}
extension Int16: FormScalar {}
extension Int32: FormScalar {}
extension Int64: FormScalar {}
extension UInt: FormScalar {}
extension UInt8: FormScalar {}
extension UInt16: FormScalar {}
extension UInt32: FormScalar {}
extension UInt64: FormScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: FormScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: FormScalar {}

extension Bool: FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) -> String {
        boolEncoding.text(for: self)
    }
}

extension URL: FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) -> String { absoluteString }
}

extension Decimal: FormScalar {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) throws -> String {
        guard isFinite else { throw URLEncodedFormEncoder.Error.nonFiniteNumber(path: position.text) }
        return "\(self)"
    }
}

extension FormScalar where Self: BinaryFloatingPoint {
    func formText(boolEncoding: URLEncoding.BoolEncoding, at position: FormPosition) throws -> String {
        guard isFinite else { throw URLEncodedFormEncoder.Error.nonFiniteNumber(path: position.text) }
        return "\(self)"
    }
}

extension Double: FormScalar {}
extension Float: FormScalar {}
extension CGFloat: FormScalar {}
