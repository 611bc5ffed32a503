import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("Files beside a destination have names that begin with the destination's name")
struct PartFileNameTests {
    @Test("the files of a download that can be resumed always have the same names")
    func resumable() {
        #expect(PartFileName.resumable(for: "a.zip") == ".a.zip.part")
        #expect(PartFileName.state(for: "a.zip") == ".a.zip.part.json")
    }

    @Test("the file of any other download has a unique name")
    func unique() {
        var random = SeededGenerator(seed: 1)
        #expect(PartFileName.unique(for: "a", using: &random) == ".a.910a2dec89025cc1.part")
        #expect(PartFileName.unique(for: "a") != PartFileName.unique(for: "a"))
    }

    @Test(
        "long names of files beside a destination are shortened to the limit, and differ for different destinations",
        arguments: ["a", "ü", "👨‍👩‍👧‍👦", "\u{301}"],
        [1, 50, 120, 200, 235, 244, 245, 250, 255, 300]
    )
    func length(_ character: String, length: Int) {
        let name = SafeFileName.prefix(of: String(repeating: character, count: length), bytes: length)
        let names = [
            PartFileName.resumable(for: name), PartFileName.state(for: name), PartFileName.unique(for: name),
            PartFileName.resumable(for: name + "x"), PartFileName.resumable(for: name + "y"),
            PartFileName.state(for: name + "x"), PartFileName.unique(for: name + "x"),
        ]
        #expect(Set(names).count == names.count)
        for name in names {
            #expect(
                name.utf8.count <= 255 && name.utf8.first == UInt8(ascii: ".")
                    && !name.utf8.contains(UInt8(ascii: "/")),
                "\(name)"
            )
        }
    }
}
