#if Observability && NIO && !canImport(Darwin)
import Foundation
import InMemoryTracing
import MetricsTestKit
import MoyaObservability
import Tracing

/// A message of Protocol Buffers that is being written, with the fields of OTLP that the tests need.
struct OTLPMessage {
    private(set) var data = Data()

    private mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    mutating func append(_ field: Int, _ value: Int) {
        append(varint: UInt64(field) << 3)
        append(varint: UInt64(bitPattern: Int64(value)))
    }

    mutating func append(_ field: Int, fixed value: UInt64) {
        append(varint: UInt64(field) << 3 | 1)
        withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }

    mutating func append(_ field: Int, _ bytes: Data) {
        append(varint: UInt64(field) << 3 | 2)
        append(varint: UInt64(bytes.count))
        data.append(bytes)
    }

    mutating func append(_ field: Int, _ text: String) { append(field, Data(text.utf8)) }

    mutating func append(_ field: Int, _ write: (inout OTLPMessage) -> Void) {
        var message = OTLPMessage()
        write(&message)
        append(field, message.data)
    }

    /// Appends a `KeyValue`.
    mutating func append(_ field: Int, key: String, _ value: (inout OTLPMessage) -> Void) {
        append(field) { pair in
            pair.append(1, key)
            pair.append(2, value)
        }
    }
}

/// The requests of an exporter.
enum OTLPRequest {
    private static let scope = "MoyaObservability"

    /// Returns an `ExportTraceServiceRequest`.
    static func traces(_ spans: [FinishedInMemorySpan]) -> Data {
        request { scope in for span in spans { scope.append(2) { write(span, to: &$0) } } }
    }

    /// Returns an `ExportMetricsServiceRequest` with a histogram for each timer.
    static func metrics(_ timers: [TestTimer]) -> Data {
        request { scope in
            for timer in timers {
                scope.append(2) { metric in
                    metric.append(1, timer.label)
                    metric.append(3, "s")
                    metric.append(9) { histogram in
                        histogram.append(1) { write(timer, to: &$0) }
                        histogram.append(2, 2)
                    }
                }
            }
        }
    }

    private static func request(_ write: (inout OTLPMessage) -> Void) -> Data {
        var message = OTLPMessage()
        message.append(1) { resource in
            resource.append(1) { $0.append(1, key: "service.name") { $0.append(1, "tests") } }
            resource.append(2) { scope in
                scope.append(1) { $0.append(1, Self.scope) }
                write(&scope)
                scope.append(3, "https://opentelemetry.io/schemas/\(HTTPConventions.version)")
            }
        }
        return message.data
    }

    private static func write(_ span: FinishedInMemorySpan, to message: inout OTLPMessage) {
        message.append(1, bytes(ofHex: span.traceID))
        message.append(2, bytes(ofHex: span.spanID))
        if let parent = span.parentSpanID { message.append(4, bytes(ofHex: parent)) }
        message.append(5, span.operationName)
        message.append(6, span.kind == .client ? 3 : 1)
        message.append(7, fixed: span.startInstant.nanosecondsSinceEpoch)
        message.append(8, fixed: span.endInstant.nanosecondsSinceEpoch)
        span.attributes.forEach { key, value in message.append(9, key: key) { write(value, to: &$0) } }
        if let status = span.status {
            message.append(15) { written in
                if let text = status.message { written.append(2, text) }
                written.append(3, status.code == .error ? 2 : 1)
            }
        }
    }

    private static func write(_ value: SpanAttribute, to message: inout OTLPMessage) {
        switch value {
        case .int64(let number): message.append(3, Int(number))
        case .stringArray(let texts):
            message.append(5) { list in texts.forEach { text in list.append(1) { $0.append(1, text) } } }
        default: message.append(1, value.text)
        }
    }

    private static func write(_ timer: TestTimer, to message: inout OTLPMessage) {
        let bounds = HTTPConventions.requestDurationBuckets.map { $0 / .seconds(1) }
        let seconds = timer.values.map { Double($0) / 1e9 }
        var counts = [UInt64](repeating: 0, count: bounds.count + 1)
        for value in seconds { counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1 }
        message.append(3, fixed: UInt64(Date().timeIntervalSince1970 * 1e9))
        message.append(4, fixed: UInt64(seconds.count))
        message.append(5, fixed: seconds.reduce(0, +).bitPattern)
        message.append(6, packed(counts))
        message.append(7, packed(bounds.map(\.bitPattern)))
        for (name, value) in timer.dimensions { message.append(9, key: name) { $0.append(1, value) } }
    }

    private static func packed(_ values: [UInt64]) -> Data {
        var data = Data()
        for value in values { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        return data
    }

    private static func bytes(ofHex text: String) -> Data {
        var data = Data()
        var rest = text[...]
        while rest.count >= 2 {
            data.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return data
    }
}
#endif
