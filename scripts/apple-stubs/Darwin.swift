// swift-format-ignore-file
@_exported import Glibc
