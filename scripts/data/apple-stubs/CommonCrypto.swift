// swift-format-ignore-file
public typealias CCOperation = UInt32
public typealias CCAlgorithm = UInt32
public typealias CCOptions = UInt32
public typealias CCCryptorStatus = Int32

public let kCCEncrypt = 0
public let kCCAlgorithm3DES = 2
public let kCCOptionPKCS7Padding = 1
public let kCCBlockSize3DES = 8
public let kCCSuccess = 0

public func CCCrypt(
    _ op: CCOperation,
    _ alg: CCAlgorithm,
    _ options: CCOptions,
    _ key: UnsafeRawPointer!,
    _ keyLength: Int,
    _ iv: UnsafeRawPointer!,
    _ dataIn: UnsafeRawPointer!,
    _ dataInLength: Int,
    _ dataOut: UnsafeMutableRawPointer!,
    _ dataOutAvailable: Int,
    _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus {
    // The stub copies the data without encryption, with the padding of PKCS #7.
    let padding = kCCBlockSize3DES - dataInLength % kCCBlockSize3DES
    guard dataInLength + padding <= dataOutAvailable else { return -4301 }
    dataOut.copyMemory(from: dataIn, byteCount: dataInLength)
    for index in 0..<padding { dataOut.storeBytes(of: UInt8(padding), toByteOffset: dataInLength + index, as: UInt8.self) }
    dataOutMoved.pointee = dataInLength + padding
    return CCCryptorStatus(kCCSuccess)
}
