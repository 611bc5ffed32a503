import Foundation

// The progress of a request body: which bytes count as transferred, and when. `TransportStage` adds the observer for each exchange, and
// `Session.send` ends the reports with the request, unless it returns the response as a stream.
//
// The observer gets the count from the part that takes the bytes from the body:
//
//     the body's `Reader`               each piece of a long body, when it is read
//     `Exchange.connected`              a short body, once, because it is sent with the head in one write (`reportSentWhole`)
//     a transport without a reader      the bytes that it has sent (`observingSentBytes`)
//
// A short body in memory (`inlineData`) has no `Reader`, unless it waits for a `100 (Continue)`, because the reader, its queue and a second
// write would cost a small request more than the sending of its head. A file has a reader, however short it is.
extension HTTPBody {
    /// Receives the number of transferred bytes, before compression, and the length if it is known.
    ///
    /// All observers are equal, but a body with an observer is not equal to a body without one.
    // A class, because it takes less space in each copy of a request.
    package final class ProgressObserver: Hashable, Sendable {
        let report: @Sendable (_ count: Int64, _ length: Int64?) -> Void

        init(_ report: @escaping @Sendable (_ count: Int64, _ length: Int64?) -> Void) { self.report = report }

        package static func == (lhs: ProgressObserver, rhs: ProgressObserver) -> Bool { true }

        package func hash(into hasher: inout Hasher) {}
    }

    /// Returns the body with an observer of its progress: the bytes that its ``Reader`` has read.
    ///
    /// A transport that sends bytes without a reader reports them by ``reportSentWhole`` or ``observingSentBytes``.
    package func observingProgress(
        _ report: @escaping @Sendable (_ count: Int64, _ length: Int64?) -> Void
    ) -> HTTPBody {
        var body = self
        body.progressObserver = ProgressObserver(report)
        return body
    }

    /// Reports the whole body, which a transport sends at once without reading it; `nil` if the body is not ``inlineData``, or has no
    /// observer.
    package var reportSentWhole: (@Sendable () -> Void)? {
        guard let progressObserver, let length = inlineData.map({ Int64($0.count) }) else { return nil }
        return { progressObserver.report(length, length) }
    }

    /// The body without its observer, for a transport that reports the sent bytes itself, and the observer.
    ///
    /// Bytes in memory and files then need not be read by a ``Reader``. A compressed body keeps its observer and reports the bytes that
    /// are read, because fewer bytes are sent.
    package var observingSentBytes: (body: HTTPBody, observer: ProgressObserver?) {
        guard !isGzipped, let progressObserver else { return (self, nil) }
        var body = self
        body.progressObserver = nil
        return (body, progressObserver)
    }

    /// The progress of a body by the bytes that a transport has sent.
    package struct SentProgress: Sendable {
        private let observer: ProgressObserver
        private let length: Int64?

        /// Creates the progress of a body.
        ///
        /// - Parameters:
        ///   - observer: The observer of ``HTTPBody/observingSentBytes``.
        ///   - length: The number of bytes, if it is known.
        package init(_ observer: ProgressObserver, length: Int64?) {
            (self.observer, self.length) = (observer, length)
        }

        /// Handles bytes that have been sent; `total` is their number since the beginning of the body.
        package func sentBytes(total: Int64) { observer.report(total, length) }
    }
}
