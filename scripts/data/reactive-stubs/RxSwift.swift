// The declarations of RxSwift that RxMoya's signatures name: see scripts/generate/api.
public protocol ReactiveCompatible {}
public struct Reactive<Base> {}
public protocol ObservableType { associatedtype Element }
public class Observable<Element>: ObservableType {}
public struct PrimitiveSequence<Trait, Element> {}
public enum SingleTrait {}
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>
