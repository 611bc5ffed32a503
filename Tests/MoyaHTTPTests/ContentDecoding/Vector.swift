import Foundation
import Testing

@testable import MoyaHTTP

/// Data encoded by another compressor, and the decoded bytes.
struct Vector: Sendable, CustomTestStringConvertible {
    enum Plain: Sendable {
        case text, noise, empty

        var data: Data {
            switch self {
            case .text: Data(Vector.text.utf8)
            case .noise: Data(base64Encoded: Vector.noise, options: .ignoreUnknownCharacters) ?? Data()
            case .empty: Data()
            }
        }
    }

    let testDescription: String
    let plain: Plain
    /// The other positions at which the data could end, with a shorter but complete body.
    let ends: Set<Int>
    let data: Data

    init(_ name: String, plain: Plain = .text, ends: Set<Int> = [], _ base64: String) {
        testDescription = name
        self.plain = plain
        self.ends = ends
        data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }

    /// Every vector, with the name of its coding.
    static let all: [(ContentCoding, Vector)] =
        gzip.map { (.gzip, $0) } + zlib.map { (.deflate, $0) } + raw.map { (.deflate, $0) }

    static let text = """
        {"id":0,"name":"Moya","tags":["http","swift"],"score":0}
        {"id":1,"name":"Moya","tags":["http","swift"],"score":919}
        {"id":2,"name":"Moya","tags":["http","swift"],"score":676}
        {"id":3,"name":"Moya","tags":["http","swift"],"score":271}
        {"id":4,"name":"Moya","tags":["http","swift"],"score":704}
        {"id":5,"name":"Moya","tags":["http","swift"],"score":975}
        {"id":6,"name":"Moya","tags":["http","swift"],"score":84}
        {"id":7,"name":"Moya","tags":["http","swift"],"score":31}

        """

    private static let noise = """
        pU3KGCUwux1tEyze1iN7LtkeP3IfyxlxF0SU1kk8nVw0YL4xIB5p/tqg7ui5mX9cfCmZ/a/lkyU81lSvTfrXFCegrrP+6SMvivIhH57kkcWx
        C+y1Vjv8Hm+TQn7LyP4pVeXNjkbcjtS3wnZNKlpNdncG+F2GkAJK1r2jQBvpyMvMyTX2zR9hImrhUziuGjQATTO6DSRqwEyBsbryPjv57vX3
        nytJNK+H9VILablLDZguhbtVtnKocmN6zXRm/LYODo/xhGOw5LI=
        """
}
