import Foundation
import Moya

/// A fault that a ``FaultInjector`` injects, and its rate.
public struct InjectedFault: Sendable {
    /// The effect on a request and its response.
    enum Effect: Sendable {
        /// Responds in place of the server.
        case response(ScriptedResponse)
        /// Waits for a random time before the request.
        case delay(ClosedRange<Duration>)
        /// Closes the connection after this number of bytes of the response's body.
        case truncation(at: Int)
        /// Receives the response's body at this number of bytes per second.
        case bandwidth(Double)
    }

    let effect: Effect
    /// The share of the requests that get the fault, from 0 to 1.
    public let rate: Double

    private init(_ effect: Effect, rate: Double) {
        self.effect = effect
        // A rate that is not a number is 0.
        self.rate = rate > 0 ? min(rate, 1) : 0
    }

    /// Responds in place of the server, with a response or a fault of a ``ScriptedTransport``.
    ///
    ///     .response(.status(429).header("Retry-After", "1"), rate: 0.1)
    ///     .response(.refused, rate: 0.01)
    ///
    /// ``ScriptedResponse/noMore`` has no effect.
    ///
    /// - Parameters:
    ///   - response: The response or fault.
    ///   - rate: The share of the requests, from 0 to 1.
    /// - Returns: The fault.
    public static func response(_ response: ScriptedResponse, rate: Double) -> InjectedFault {
        InjectedFault(.response(response), rate: rate)
    }

    /// Fails requests with a `URLError`, and does not send them.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - rate: The share of the requests, from 0 to 1.
    /// - Returns: The fault.
    public static func error(_ code: URLError.Code, rate: Double) -> InjectedFault {
        response(.error(code), rate: rate)
    }

    /// Responds with a status and no body in place of the server.
    ///
    /// - Parameters:
    ///   - code: The status.
    ///   - rate: The share of the requests, from 0 to 1.
    /// - Returns: The fault.
    public static func status(_ code: Int, rate: Double) -> InjectedFault { response(.status(code), rate: rate) }

    /// Delays requests by a random time in a range.
    ///
    /// A request with a shorter timeout fails with `URLError.timedOut`, and is not sent.
    ///
    /// - Parameters:
    ///   - range: The shortest and the longest delay.
    ///   - rate: The share of the requests, from 0 to 1.
    /// - Returns: The fault.
    public static func delay(_ range: ClosedRange<Duration>, rate: Double) -> InjectedFault {
        InjectedFault(.delay(range), rate: rate)
    }

    /// Closes the connection in the body of the server's response: `URLError.networkConnectionLost`.
    ///
    /// - Parameters:
    ///   - count: The number of bytes that are received. A shorter body whose length is known is complete.
    ///   - rate: The share of the requests, from 0 to 1.
    /// - Returns: The fault.
    public static func truncation(at count: Int = 0, rate: Double) -> InjectedFault {
        InjectedFault(.truncation(at: count), rate: rate)
    }

    /// Receives the body of the server's response slowly and evenly.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The bandwidth, which may be less than 1; at 0 nothing is received.
    ///   - rate: The share of the requests, from 0 to 1.
    /// - Returns: The fault.
    public static func slowBody(bytesPerSecond: Double, rate: Double) -> InjectedFault {
        InjectedFault(.bandwidth(bytesPerSecond), rate: rate)
    }
}
