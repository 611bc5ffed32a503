// swift-format-ignore-file
// These names of the Objective-C runtime are visible wherever Foundation is imported.
public typealias Method = OpaquePointer
public typealias Category = OpaquePointer
public typealias Ivar = OpaquePointer
