#if !canImport(UIKit) && !canImport(AppKit)
import Foundation
import Moya
import Testing

@Suite("A response is mapped to an image")
struct ImageTests {
    private func expectNone(
        _ sample: ImageSample,
        _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let response = sample.response
        let error = #expect(throws: MoyaError.self, comment, sourceLocation: sourceLocation) {
            try response.mapImage()
        }
        #expect(error?.name == "imageMapping", comment, sourceLocation: sourceLocation)
        #expect(error?.response === response, comment, sourceLocation: sourceLocation)
    }

    @Test("mapImage returns an image with format, size and data", arguments: ImageSample.images)
    func image(sample: ImageSample, format: Image.Format, width: Int, height: Int) throws {
        let image = try sample.response.mapImage()
        #expect(image.format == format)
        #expect(image.width == width)
        #expect(image.height == height)
        #expect(image.size == CGSize(width: width, height: height))
        #expect(image.data == Data(sample.bytes))
        #expect(image == Image(data: Data(sample.bytes)))
    }

    @Test("image data that does not begin at index 0 is mapped", arguments: ImageSample.images.map(\.0))
    func slice(sample: ImageSample) throws {
        let slice = (Data([0, 0, 0]) + sample.bytes + [0]).dropFirst(3).dropLast()
        let image = try Response(statusCode: 200, data: slice).mapImage()
        #expect(try image == sample.response.mapImage())
    }

    @Test("fact 103: mapImage of data that is not an image fails with .imageMapping")
    func noImage() {
        let texts = [
            "", " ", "<svg/>", "<html></html>", "GIF", "GIF88a", "BM", "RIFF", "RIFF\0\0\0\0WAVE", "P6 1 1 255",
        ]
        for text in texts { expectNone(ImageSample(text, Array(text.utf8)), "\(text)") }
        expectNone(ImageSample("zeros", Array(repeating: 0, count: 1000)))
        expectNone(ImageSample("TIFF", [0x49, 0x49, 0x2A, 0x00]))
    }

    @Test("mapImage of an image with a truncated header fails", arguments: ImageSample.images.map(\.0))
    func cutOff(sample: ImageSample) {
        for length in 0..<10 { expectNone(ImageSample("", Array(sample.bytes.prefix(length))), "\(length) bytes") }
    }

    @Test("mapImage of an image without a valid size fails", arguments: ImageSample.lies)
    func lies(sample: ImageSample) { expectNone(sample) }
}
#endif
