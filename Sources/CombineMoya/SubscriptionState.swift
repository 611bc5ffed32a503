/// What one subscription does next: it starts one exchange when a value is first wanted, gives no more values than are
/// wanted, and ends once.
///
/// It knows of no lock and no subscriber. Each event gives what is to be done now.
struct SubscriptionState<Value, Failure: Error> {
    enum Action {
        case nothing
        /// Begin the exchange.
        case start
        /// Call ``next()`` where values arrive.
        case resume
        /// Hand over the value, then call ``emitted(wanting:)``.
        case emit(Value)
        /// Say that there is no more. It is the last action.
        case finish
        /// Say what went wrong. It is the last action.
        case fail(Failure)
        /// Cancel the exchange.
        case cancel
    }

    private enum Phase {
        case idle, running, ended, cancelled
    }

    private var phase = Phase.idle
    /// How many values are wanted; `nil` for all.
    private var wanted: Int? = 0
    /// What waits to be wanted. What is newer says all that what is older did.
    private var latest: Value?
    private var ending: Result<Void, Failure>?
    /// A value is being handed over: whoever does that sees to what comes meanwhile.
    private var isEmitting = false

    /// More values are wanted.
    ///
    /// - Parameter count: How many; `nil` for all.
    mutating func requested(_ count: Int?) -> Action {
        want(count)
        switch phase {
        case .idle where wanted != 0:
            phase = .running
            return .start
        case .running where latest != nil && wanted != 0 && !isEmitting:
            return .resume
        default:
            return .nothing
        }
    }

    /// The exchange has begun, and may have ended as well.
    mutating func started() -> Action { phase == .cancelled ? .cancel : .nothing }

    /// A value is there. It replaces one that waits.
    mutating func received(_ value: Value) -> Action {
        guard phase == .running, ending == nil else { return .nothing }
        latest = value
        return next()
    }

    /// The last value is there.
    mutating func received(last value: Value) -> Action {
        guard phase == .running, ending == nil else { return .nothing }
        latest = value
        ending = .success(())
        return next()
    }

    /// The exchange has failed. That waits for nobody.
    mutating func failed(_ failure: Failure) -> Action {
        guard phase == .running, ending == nil else { return .nothing }
        ending = .failure(failure)
        return next()
    }

    /// What can be handed over now.
    mutating func next() -> Action {
        guard phase == .running, !isEmitting else { return .nothing }
        if let value = latest, wanted != 0 {
            wanted = wanted.map { $0 - 1 }
            latest = nil
            isEmitting = true
            return .emit(value)
        }
        switch ending {
        case .success where latest == nil:
            phase = .ended
            return .finish
        case .failure(let failure):
            phase = .ended
            return .fail(failure)
        case .success, nil:
            return .nothing
        }
    }

    /// A value has been handed over.
    ///
    /// - Parameter count: How many more are wanted; `nil` for all.
    mutating func emitted(wanting count: Int?) -> Action {
        isEmitting = false
        want(count)
        return next()
    }

    /// Nothing is wanted any more.
    mutating func cancelled() -> Action {
        defer { if phase != .ended { phase = .cancelled } }
        latest = nil
        return phase == .running ? .cancel : .nothing
    }

    private mutating func want(_ count: Int?) {
        guard let already = wanted, let count else {
            wanted = nil
            return
        }
        let (sum, isTooMuch) = already.addingReportingOverflow(max(0, count))
        wanted = isTooMuch ? nil : sum
    }
}

extension SubscriptionState: Sendable where Value: Sendable {}
extension SubscriptionState.Action: Sendable where Value: Sendable {}
extension SubscriptionState.Action: Equatable where Value: Equatable, Failure: Equatable {}
