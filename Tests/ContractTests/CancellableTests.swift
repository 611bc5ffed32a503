import Foundation
import Moya
import Testing

@Suite("Cancellable and CancellableToken have the interface of the contract")
struct CancellableTests {
    /// The wrapper in the original's documents.
    final class Wrapper: Cancellable {
        private let inner: Cancellable
        init(_ inner: Cancellable) { self.inner = inner }
        var isCancelled: Bool { return inner.isCancelled }
        func cancel() { inner.cancel() }
    }

    @Test("a Cancellable reports its cancellation, and an application can implement it")
    func cancellable() {
        let cancellable: Cancellable = Wrapper(CancellableToken {})
        let cancel: () -> Void = cancellable.cancel
        #expect(!cancellable.isCancelled)
        cancel()
        #expect(cancellable.isCancelled)
    }

    @Test("CancellableToken(action:) calls its action when it is cancelled")
    func token() {
        var count = 0
        let make: (@escaping () -> Void) -> CancellableToken = CancellableToken.init(action:)
        let token = make { count += 1 }
        #expect(token.isCancelled == false)
        token.cancel()
        token.cancel()
        #expect(token.isCancelled && count == 1)
        let text: String = token.debugDescription
        #expect(text == "Empty Request")
        let describable: CustomDebugStringConvertible = token
        #expect(describable.debugDescription == text)
    }
}
