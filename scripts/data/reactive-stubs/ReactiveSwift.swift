// The declarations of ReactiveSwift that ReactiveMoya's signatures and the documentation's blocks name: see scripts/generate/api and
// scripts/check/blocks.
public protocol ReactiveExtensionsProvider {}
extension ReactiveExtensionsProvider {
    public var reactive: Reactive<Self> { fatalError() }
}
public struct Reactive<Base> {}
public protocol SignalProducerProtocol {
    associatedtype Value
    associatedtype Error: Swift.Error
}
public protocol Disposable { func dispose() }
public struct SignalProducer<Value, Error: Swift.Error>: SignalProducerProtocol {
    @discardableResult
    public func startWithResult(_ action: @escaping (Result<Value, Error>) -> Void) -> any Disposable { fatalError() }
}
