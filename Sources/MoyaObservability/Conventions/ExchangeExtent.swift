#if Observability
/// The part of an exchange that its span and its duration include.
public enum ExchangeExtent: Sendable, CaseIterable {
    /// The exchange up to the head of the response, whatever the reader does with the body.
    ///
    /// A short body that arrives together with the head is included.
    case head
    /// The whole exchange, up to the last byte of the body, or to its release if it is not read to the end.
    case body
}
#endif
