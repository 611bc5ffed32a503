import Foundation
import Moya
import Testing

@Suite("Image has the interface of the contract")
struct ImageTests {
    @Test("Image and ImageType are the same type, and mapImage of a response returns it")
    func image() throws {
        // The data is a GIF of one pixel.
        let gif = try #require(Data(base64Encoded: "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"))
        let image: ImageType = try Response(statusCode: 200, data: gif).mapImage()
        let same: Moya.Image = image
        #expect(type(of: same) == type(of: image))
        let size: CGSize = image.size
        #expect(size.width == 1 && size.height == 1)
        let map: (Response) -> () throws -> Image = Response.mapImage
        #expect(throws: MoyaError.self) { try map(Response(statusCode: 200, data: Data()))() }
    }
}
