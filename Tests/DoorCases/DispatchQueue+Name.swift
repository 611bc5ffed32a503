import Foundation

private let nameKey: DispatchSpecificKey<String> = {
    let key = DispatchSpecificKey<String>()
    DispatchQueue.main.setSpecific(key: key, value: "main")
    return key
}()

extension DispatchQueue {
    /// Makes a queue that its blocks know by name.
    package convenience init(named name: String) {
        self.init(label: name)
        setSpecific(key: nameKey, value: name)
    }

    /// The name of the queue that this runs on: one made for it, or `main`. The main queue's thread need not be the main
    /// thread: on Linux a parked one lends it to others.
    package static var currentName: String? { getSpecific(key: nameKey) }
}
