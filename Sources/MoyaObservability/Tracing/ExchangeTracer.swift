#if Observability
import Foundation
import HTTPTypes
import MoyaHTTP
import Tracing

/// Creates a span for each exchange, and sends its context.
struct ExchangeTracer: ExchangeInstrument {
    private let options: TracingOptions
    private let attributes: SpanAttributeRules

    init(_ options: TracingOptions) {
        self.options = options
        attributes = SpanAttributeRules(options)
    }

    /// The address of the server of a failed exchange is among the times.
    var needsTimings: Bool { true }

    func begin(
        _ exchange: borrowing InstrumentedExchange,
        adding fields: inout HTTPFields
    ) -> (any ExchangeObservation)? {
        guard let tracer = options.activeTracer else {
            if let context = ServiceContext.current { inject(context, exchange.request.url, into: &fields) }
            return nil
        }
        let method = MethodName(exchange.request.method, known: options.knownMethods)
        let template = exchange.urlTemplate
        let span = tracer.startAnySpan(method.spanName(urlTemplate: template), ofKind: .client)
        if span.isRecording {
            let initial = attributes.ofRequest(exchange, method: method, urlTemplate: template)
            span.attributes = initial
        }
        inject(span.context, exchange.request.url, into: &fields)
        return ExchangeSpan(span, of: exchange, attributes, extent: options.extent)
    }

    private func inject(_ context: ServiceContext, _ url: URL, into fields: inout HTTPFields) {
        let instrument: any Instrument = options.tracer ?? InstrumentationSystem.instrument
        guard !(instrument is NoOpInstrument), options.propagatesContext(url) else { return }
        instrument.inject(context, into: &fields, using: FieldInjector())
    }
}

extension TracingOptions {
    /// The tracer; `nil` if there is none, because spans that nobody records have a cost.
    var activeTracer: (any Tracer)? {
        let tracer = tracer ?? InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : tracer
    }
}

/// Sets the fields of a context in a request.
private struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        if let name = HTTPField.Name(key), HTTPField.isValidValue(value) { fields[name] = value }
    }
}
#endif
