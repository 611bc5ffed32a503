import Foundation

/// The values in the data of server-sent events, as a sequence that reconnects like its ``EventSequence``.
///
///     let deltas = provider.events(.chat(question)).decoded(as: Delta.self, until: "[DONE]")
///     for try await delta in deltas { print(delta.text, terminator: "") }
public struct DecodedEvents<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    private let events: EventSequence
    private let decoder: any ResponseDecoder & Sendable
    private let end: String?
    private let changeError: @Sendable (MoyaError) -> MoyaError
    /// The values that the sequence returns before those of the events.
    private let beginning: [Value]

    /// Creates a sequence that returns the given values and ends, for mocks and tests.
    ///
    /// Each loop over it gets all values.
    public init(_ values: [Value]) {
        self.init(EventSequence([]), decoder: JSONDecoder(), beginning: values)
    }

    /// Creates a sequence.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - decoder: Decodes the data of each event.
    ///   - end: The data of the event that ends the sequence; `nil` for none.
    ///   - changeError: Returns the error to throw in place of an error of the events.
    ///   - beginning: The values that the sequence returns before those of the events.
    package init(
        _ events: EventSequence,
        decoder: any ResponseDecoder & Sendable,
        until end: String? = nil,
        changeError: @escaping @Sendable (MoyaError) -> MoyaError = { $0 },
        beginning: [Value] = []
    ) {
        self.events = events
        self.decoder = decoder
        self.end = end
        self.changeError = changeError
        self.beginning = beginning
    }

    /// An iterator over the values.
    public struct Iterator: AsyncIteratorProtocol {
        /// The iterator over the events; `nil` after the end, so that the connection is closed.
        fileprivate var events: EventSequence.Iterator?
        fileprivate let decoder: any ResponseDecoder & Sendable
        fileprivate let end: String?
        fileprivate let changeError: @Sendable (MoyaError) -> MoyaError
        fileprivate var ready: ArraySlice<Value>

        /// Returns the value of the next event; `nil` at the end.
        ///
        /// - Throws: The errors of ``EventSequence/Iterator/next()``; ``MoyaError/objectMapping(_:_:)`` for an event whose data does not
        ///   decode, which ends the sequence.
        public mutating func next() async throws(MoyaError) -> Value? {
            if let value = ready.popFirst() { return value }
            do throws(MoyaError) {
                guard let event = try await events?.next(), event.data != end else {
                    events = nil
                    return nil
                }
                return try value(of: event)
            } catch {
                events = nil
                throw changeError(error)
            }
        }

        private func value(of event: ServerSentEvent) throws(MoyaError) -> Value {
            let data = Data(event.data.utf8)
            let response = events?.response.map { Response($0, data: data) } ?? Response(statusCode: 200, data: data)
            return try response.output(using: decoder)
        }
    }

    /// Creates an iterator, whose first call of `next()` sends the first request.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            events: events.makeAsyncIterator(),
            decoder: decoder,
            end: end,
            changeError: changeError,
            ready: beginning[...]
        )
    }
}

extension EventSequence {
    /// Returns the values in the data of the events.
    ///
    /// - Parameters:
    ///   - type: The type of the values, which can be inferred.
    ///   - decoder: Decodes the data of each event.
    ///   - end: The data of the event that ends the sequence and closes the connection, such as `[DONE]`; `nil` for none.
    /// - Returns: The values.
    public func decoded<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self,
        using decoder: any ResponseDecoder & Sendable = JSONDecoder(),
        until end: String? = nil
    ) -> DecodedEvents<Value> {
        DecodedEvents(self, decoder: decoder, until: end)
    }
}
