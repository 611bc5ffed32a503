import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaPublicSuffixList

@Suite("Punycode encodes host labels that are not ASCII")
struct PunycodeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        let text: String
        let encoded: String

        init(_ section: String, _ text: String, _ encoded: String) {
            self.section = section
            self.text = text
            self.encoded = encoded
        }

        var testDescription: String { section }
    }

    static let rows: [Row] = [
        Row(
            "RFC 3492, 7.1 (A) Arabic",
            "\u{644}\u{64A}\u{647}\u{645}\u{627}\u{628}\u{62A}\u{643}\u{644}\u{645}\u{648}\u{634}\u{639}"
                + "\u{631}\u{628}\u{64A}\u{61F}",
            "egbpdaj6bu4bxfgehfvwxn"
        ),
        Row(
            "RFC 3492, 7.1 (B) Chinese, simplified",
            "\u{4ED6}\u{4EEC}\u{4E3A}\u{4EC0}\u{4E48}\u{4E0D}\u{8BF4}\u{4E2D}\u{6587}",
            "ihqwcrb4cv8a8dqg056pqjye"
        ),
        Row(
            "RFC 3492, 7.1 (C) Chinese, traditional",
            "\u{4ED6}\u{5011}\u{7232}\u{4EC0}\u{9EBD}\u{4E0D}\u{8AAA}\u{4E2D}\u{6587}",
            "ihqwctvzc91f659drss3x8bo0yb"
        ),
        Row(
            "RFC 3492, 7.1 (D) Czech",
            "Pro\u{10D}prost\u{11B}nemluv\u{ED}\u{10D}esky",
            "Proprostnemluvesky-uyb24dma41a"
        ),
        Row(
            "RFC 3492, 7.1 (E) Hebrew",
            "\u{5DC}\u{5DE}\u{5D4}\u{5D4}\u{5DD}\u{5E4}\u{5E9}\u{5D5}\u{5D8}\u{5DC}\u{5D0}\u{5DE}\u{5D3}"
                + "\u{5D1}\u{5E8}\u{5D9}\u{5DD}\u{5E2}\u{5D1}\u{5E8}\u{5D9}\u{5EA}",
            "4dbcagdahymbxekheh6e0a7fei0b"
        ),
        Row(
            "RFC 3492, 7.1 (F) Hindi",
            "\u{92F}\u{939}\u{932}\u{94B}\u{917}\u{939}\u{93F}\u{928}\u{94D}\u{926}\u{940}\u{915}\u{94D}"
                + "\u{92F}\u{94B}\u{902}\u{928}\u{939}\u{940}\u{902}\u{92C}\u{94B}\u{932}\u{938}\u{915}\u{924}"
                + "\u{947}\u{939}\u{948}\u{902}",
            "i1baa7eci9glrd9b2ae1bj0hfcgg6iyaf8o0a1dig0cd"
        ),
        Row(
            "RFC 3492, 7.1 (G) Japanese",
            "\u{306A}\u{305C}\u{307F}\u{3093}\u{306A}\u{65E5}\u{672C}\u{8A9E}\u{3092}\u{8A71}\u{3057}\u{3066}"
                + "\u{304F}\u{308C}\u{306A}\u{3044}\u{306E}\u{304B}",
            "n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"
        ),
        Row(
            "RFC 3492, 7.1 (H) Korean",
            "\u{C138}\u{ACC4}\u{C758}\u{BAA8}\u{B4E0}\u{C0AC}\u{B78C}\u{B4E4}\u{C774}\u{D55C}\u{AD6D}\u{C5B4}"
                + "\u{B97C}\u{C774}\u{D574}\u{D55C}\u{B2E4}\u{BA74}\u{C5BC}\u{B9C8}\u{B098}\u{C88B}\u{C744}\u{AE4C}",
            "989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"
        ),
        Row(
            "RFC 3492, 7.1 (I) Russian, without its mixed case",
            "\u{43F}\u{43E}\u{447}\u{435}\u{43C}\u{443}\u{436}\u{435}\u{43E}\u{43D}\u{438}\u{43D}\u{435}"
                + "\u{433}\u{43E}\u{432}\u{43E}\u{440}\u{44F}\u{442}\u{43F}\u{43E}\u{440}\u{443}\u{441}\u{441}"
                + "\u{43A}\u{438}",
            "b1abfaaepdrnnbgefbadotcwatmq2g4l"
        ),
        Row(
            "RFC 3492, 7.1 (J) Spanish",
            "Porqu\u{E9}nopuedensimplementehablarenEspa\u{F1}ol",
            "PorqunopuedensimplementehablarenEspaol-fmd56a"
        ),
        Row(
            "RFC 3492, 7.1 (K) Vietnamese",
            "T\u{1EA1}isaoh\u{1ECD}kh\u{F4}ngth\u{1EC3}ch\u{1EC9}n\u{F3}iti\u{1EBF}ngVi\u{1EC7}t",
            "TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g"
        ),
        Row(
            "RFC 3492, 7.1 (L) Japanese song",
            "3\u{5E74}B\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}",
            "3B-ww4c5e180e575a65lsy2b"
        ),
        Row(
            "RFC 3492, 7.1 (M) with hyphens",
            "\u{5B89}\u{5BA4}\u{5948}\u{7F8E}\u{6075}-with-SUPER-MONKEYS",
            "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"
        ),
        Row(
            "RFC 3492, 7.1 (N) with hyphens before",
            "Hello-Another-Way-\u{305D}\u{308C}\u{305E}\u{308C}\u{306E}\u{5834}\u{6240}",
            "Hello-Another-Way--fc4qua05auwb3674vfr0b"
        ),
        Row(
            "RFC 3492, 7.1 (O) a digit",
            "\u{3072}\u{3068}\u{3064}\u{5C4B}\u{6839}\u{306E}\u{4E0B}2",
            "2-u9tlzr9756bt3uc0v"
        ),
        Row(
            "RFC 3492, 7.1 (P) mixed",
            "Maji\u{3067}Koi\u{3059}\u{308B}5\u{79D2}\u{524D}",
            "MajiKoi5-783gue6qz075azm5e"
        ),
        Row(
            "RFC 3492, 7.1 (Q) mixed",
            "\u{30D1}\u{30D5}\u{30A3}\u{30FC}de\u{30EB}\u{30F3}\u{30D0}",
            "de-jg4avhby1noc0d"
        ),
        Row("RFC 3492, 7.1 (R) kana", "\u{305D}\u{306E}\u{30B9}\u{30D4}\u{30FC}\u{30C9}\u{3067}", "d9juau41awczczp"),
        Row("RFC 3492, 7.1 (S) ASCII only", "-> $1.00 <-", "-> $1.00 <--"),
    ]

    @Test("the Punycode encoder writes the results of the standard's examples", arguments: rows)
    func examples(_ row: Row) { #expect(Punycode.encode(row.text) == row.encoded) }

    struct Label: Sendable {
        let label: String
        let expected: String?
    }

    @Test(
        "labels that are not ASCII are converted to A-labels",
        arguments: [
            Label(label: "example", expected: "example"),
            Label(label: "xn--fiqs8s", expected: "xn--fiqs8s"),
            Label(label: "m\u{FC}nchen", expected: "xn--mnchen-3ya"),
            Label(label: "\u{4E2D}\u{56FD}", expected: "xn--fiqs8s"),
            Label(label: "\u{1F4A9}", expected: "xn--ls8h"),
            Label(label: String(repeating: "\u{FC}", count: 64), expected: nil),
        ]
    )
    func labels(_ row: Label) { #expect(Punycode.aLabel(row.label) == row.expected) }

    @Test("the conversion to A-labels accepts any text, and returns nil for text that does not fit")
    func hostile() {
        #expect(Punycode.encode("") == "")
        #expect(Punycode.encode(String(repeating: "a", count: 2000) + "\u{10FFFF}") != nil)
        #expect(Punycode.encode(String(repeating: "a", count: 4000) + "\u{10FFFF}") == nil)
        var random = SeededGenerator(seed: 3492)
        for _ in 0..<1000 {
            let scalars = (0..<Int.random(in: 0...63, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x10_FFFF, using: &random))
            }
            let label = String(String.UnicodeScalarView(scalars))
            let encoded = Punycode.encode(label)
            #expect(encoded?.utf8.allSatisfy { $0 < 0x80 } == true, "seed 3492: \(scalars)")
        }
    }
}
