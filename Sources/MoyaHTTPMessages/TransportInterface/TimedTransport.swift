/// A transport that ends each exchange when its ``TransportRequest/exchangeTimeout`` is over, also while a body is sent or read.
///
/// The session measures the total time of a request over another transport in a task, which it cancels.
package protocol TimedTransport: HTTPTransport {}
