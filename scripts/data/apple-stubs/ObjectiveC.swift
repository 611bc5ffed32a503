// swift-format-ignore-file
// Names of the Objective-C runtime that are visible wherever Foundation is imported.
public typealias Method = OpaquePointer
public typealias Category = OpaquePointer
public typealias Ivar = OpaquePointer
