extension Sequence where Element: Sendable {
    /// Returns the results of an async function for all elements, in their order; a limited number of calls runs at the same time.
    ///
    ///     let users = try await names.mapConcurrently(limit: 4) { name in
    ///         try await provider.request(.user(name)).map(User.self)
    ///     }
    ///
    /// The first error cancels the calls that are running, starts no others, and is thrown when they have ended. Cancelling the task
    /// cancels the calls as well.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of calls at the same time, at least 1.
    ///   - transform: The function.
    /// - Returns: The results.
    /// - Throws: The first error of the function.
    @preconcurrency
    public func mapConcurrently<Value: Sendable, Failure: Error>(
        limit: Int,
        _ transform: @escaping @Sendable (Element) async throws(Failure) -> Value
    ) async throws(Failure) -> [Value] {
        var iterator = makeIterator()
        return try await ConcurrentMap(limit: limit, transform: transform).results { () throws(Failure) in
            iterator.next()
        }
    }
}

extension AsyncSequence where Element: Sendable {
    /// Returns the results of an async function for all elements, in their order; a limited number of calls runs at the same time.
    ///
    ///     let details = try await provider.pages(.repositories, of: Repository.self, by: .link).mapConcurrently(limit: 4) {
    ///         try await provider.request(.details($0.id)).map(Details.self)
    ///     }
    ///
    /// An element is requested from the sequence when a call can begin. The first error, of the function or of the sequence, cancels the
    /// calls that are running, starts no others, and is thrown when they have ended. Cancelling the task cancels the calls as well.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of calls at the same time, at least 1.
    ///   - transform: The function.
    /// - Returns: The results.
    /// - Throws: The first error of the function or of the sequence.
    @preconcurrency
    public func mapConcurrently<Value: Sendable>(
        limit: Int,
        _ transform: @escaping @Sendable (Element) async throws -> Value
    ) async throws -> [Value] {
        var iterator = makeAsyncIterator()
        return try await ConcurrentMap(limit: limit, transform: transform).results { try await iterator.next() }
    }
}

/// Calls an async function for many elements, a limited number at the same time.
private struct ConcurrentMap<Element: Sendable, Value: Sendable, Failure: Error> {
    let limit: Int
    let transform: @Sendable (Element) async throws(Failure) -> Value

    /// The result of one call, with its place among the results.
    private struct Outcome: Sendable {
        let index: Int
        let result: Result<Value, Failure>
    }

    func results(of next: () async throws(Failure) -> Element?) async throws(Failure) -> [Value] {
        let result: Result<[Value], Failure> = await withTaskGroup(of: Outcome.self) { group in
            var values: [Value?] = []
            var running = 0
            do throws(Failure) {
                while let element = try await next() {
                    let index = values.count
                    values.append(nil)
                    group.addTask { [transform] in
                        do throws(Failure) {
                            return Outcome(index: index, result: .success(try await transform(element)))
                        } catch {
                            return Outcome(index: index, result: .failure(error))
                        }
                    }
                    running += 1
                    if running >= max(1, limit), let outcome = await group.next() {
                        running -= 1
                        values[outcome.index] = try outcome.result.get()
                    }
                }
                while let outcome = await group.next() { values[outcome.index] = try outcome.result.get() }
            } catch {
                group.cancelAll()
                return .failure(error)
            }
            return .success(values.compactMap { $0 })
        }
        return try result.get()
    }
}
