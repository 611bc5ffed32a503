// The declarations of RxSwift that RxMoya's signatures and the documentation's blocks name: see scripts/generate/api and
// scripts/check/blocks.
public protocol ReactiveCompatible {}
extension ReactiveCompatible {
    public var rx: Reactive<Self> { fatalError() }
}
public struct Reactive<Base> {}
public protocol ObservableType { associatedtype Element }
extension ObservableType {
    public func subscribe(onNext: ((Element) -> Void)?) -> any Disposable { fatalError() }
}
public class Observable<Element>: ObservableType {}
public struct PrimitiveSequence<Trait, Element> {}
public enum SingleTrait {}
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>
extension PrimitiveSequence where Trait == SingleTrait {
    public func subscribe(_ observer: @escaping (Result<Element, any Error>) -> Void) -> any Disposable { fatalError() }
}
public protocol Disposable { func dispose() }
extension Disposable {
    public func disposed(by bag: DisposeBag) {}
}
public final class DisposeBag { public init() {} }
