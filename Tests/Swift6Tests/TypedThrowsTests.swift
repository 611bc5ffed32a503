import Foundation
import Moya
import Testing

// These tests check that `error` is a `MoyaError` in a `catch` without a pattern.
@Suite("Response's functions throw MoyaError")
struct TypedThrowsInMode6Tests {
    private struct User: Decodable { var name: String }

    private let response = Response(statusCode: 404, data: Data("x".utf8))

    @Test("mappings and filters of a response can be chained")
    func mappings() {
        do {
            _ = try response.filterSuccessfulStatusCodes().map(User.self)
        } catch {
            #expect(error.statusCode == 404 && !error.isTimeout)
        }
        do {
            _ = try response.filter(statusCodes: 400..<500).filter(statusCode: 404).mapJSON()
        } catch {
            #expect(error.response == response)
        }
        do {
            _ = try response.filterSuccessfulStatusAndRedirectCodes().mapString(atKeyPath: "a")
        } catch {
            #expect(!error.isCancelled)
        }
        do {
            _ = try response.mapImage()
        } catch {
            #expect(error.urlError == nil)
        }
        do {
            _ = try response.map(User.self, atKeyPath: "a", using: PropertyListDecoder())
        } catch {
            #expect(error.statusCode == 404)
        }
        do {
            _ = try response.map { data in try JSONDecoder().decode(User.self, from: data) }
        } catch {
            #expect(error.statusCode == 404)
        }
    }

    private func user(_ response: Response) throws(MoyaError) -> String { try response.map(User.self).name }

    @Test("an application's function can throw MoyaError from Response's functions")
    func own() {
        do {
            _ = try user(response)
        } catch {
            #expect(error.statusCode == 404)
        }
    }

    @Test("Response's functions can be used as functions that throw any error")
    func untyped() {
        let functions: [(Response) throws -> Any] = [
            { try $0.mapJSON() }, { try $0.map(User.self) }, { try $0.filterSuccessfulStatusCodes() },
        ]
        for function in functions {
            #expect(throws: MoyaError.self) { try function(response) }
        }
        let mapped = Result<Response, any Error>.success(response).flatMap { response in
            Result { try response.map(User.self) }
        }
        #expect(throws: MoyaError.self) { try mapped.get() }
    }
}
