import Foundation

private let nameKey: DispatchSpecificKey<String> = {
    let key = DispatchSpecificKey<String>()
    DispatchQueue.main.setSpecific(key: key, value: "main")
    return key
}()

extension DispatchQueue {
    /// Creates a queue whose name is available to its blocks.
    package convenience init(named name: String) {
        self.init(label: name)
        setSpecific(key: nameKey, value: name)
    }

    /// The name of the current queue, if it was created with a name or is `main`.
    ///
    /// The main queue is compared by name, because its blocks may run on other threads: on Linux a parked main thread lends the queue
    /// to them.
    package static var currentName: String? { getSpecific(key: nameKey) }
}
