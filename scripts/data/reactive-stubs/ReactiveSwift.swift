// The declarations of ReactiveSwift that ReactiveMoya's signatures name: see scripts/generate/api.
public protocol ReactiveExtensionsProvider {}
public struct Reactive<Base> {}
public protocol SignalProducerProtocol {
    associatedtype Value
    associatedtype Error: Swift.Error
}
public struct SignalProducer<Value, Error: Swift.Error>: SignalProducerProtocol {}
