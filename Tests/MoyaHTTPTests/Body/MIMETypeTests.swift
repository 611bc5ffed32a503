import Foundation
import MoyaHTTP
import Testing

@Suite("The media type of a file follows from its extension")
struct MIMETypeTests {
    @Test(
        "fact 57: common extensions have their registered type in upper and lower case, and other extensions are octet-stream",
        arguments: [
            ("png", "image/png"), ("jpg", "image/jpeg"), ("JPEG", "image/jpeg"), ("gif", "image/gif"),
            ("webp", "image/webp"), ("heic", "image/heic"), ("svg", "image/svg+xml"), ("pdf", "application/pdf"),
            ("txt", "text/plain"), ("html", "text/html"), ("css", "text/css"), ("js", "text/javascript"),
            ("json", "application/json"), ("xml", "application/xml"), ("csv", "text/csv"), ("zip", "application/zip"),
            ("gz", "application/gzip"), ("tar", "application/x-tar"), ("mp3", "audio/mpeg"), ("mp4", "video/mp4"),
            ("m4a", "audio/mp4"), ("mov", "video/quicktime"), ("wav", "audio/vnd.wave"), ("ttf", "font/ttf"),
            ("otf", "font/otf"), ("woff", "font/woff"), ("woff2", "font/woff2"), ("doc", "application/msword"),
            ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ("xls", "application/vnd.ms-excel"),
            ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
            ("ppt", "application/vnd.ms-powerpoint"),
            ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
            ("plist", "application/x-plist"), ("Png", "image/png"), ("unheardof", "application/octet-stream"),
            ("ä", "application/octet-stream"),
        ]
    )
    func type(pathExtension: String, type: String) throws {
        let file = try TemporaryFile(Data(), name: "x.\(pathExtension)")
        let form = RequestMultipartFormData(boundary: "b")
        form.append(file.url, withName: "a")
        let text =
            "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x.\(pathExtension)\"\r\n"
            + "Content-Type: \(type)\r\n\r\n\r\n--b--\r\n"
        #expect(try form.encode() == Data(text.utf8))
    }
}
