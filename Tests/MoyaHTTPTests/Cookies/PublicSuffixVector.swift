import Testing

@testable import MoyaHTTP

/// The vectors of publicsuffix.org (test_psl.txt, which is in the public domain): a host and its registrable domain.
///
/// https://raw.githubusercontent.com/publicsuffix/list/main/tests/test_psl.txt
struct PublicSuffixVector: Sendable, CustomTestStringConvertible {
    let group: String
    let host: String
    let domain: String?

    init(_ group: String, _ host: String, _ domain: String?) {
        self.group = group
        self.host = host
        self.domain = domain
    }

    var testDescription: String { "\(group) \(host)" }

    static let all: [PublicSuffixVector] = [
        PublicSuffixVector("Mixed case.", "COM", nil),
        PublicSuffixVector("Mixed case.", "example.COM", "example.com"),
        PublicSuffixVector("Mixed case.", "WwW.example.COM", "example.com"),
        PublicSuffixVector("Leading dot.", ".com", nil),
        PublicSuffixVector("Leading dot.", ".example", nil),
        PublicSuffixVector("Leading dot.", ".example.com", nil),
        PublicSuffixVector("Leading dot.", ".example.example", nil),
        PublicSuffixVector("Unlisted TLD.", "example", nil),
        PublicSuffixVector("Unlisted TLD.", "example.example", "example.example"),
        PublicSuffixVector("Unlisted TLD.", "b.example.example", "example.example"),
        PublicSuffixVector("Unlisted TLD.", "a.b.example.example", "example.example"),
        PublicSuffixVector("TLD with only 1 rule.", "biz", nil),
        PublicSuffixVector("TLD with only 1 rule.", "domain.biz", "domain.biz"),
        PublicSuffixVector("TLD with only 1 rule.", "b.domain.biz", "domain.biz"),
        PublicSuffixVector("TLD with only 1 rule.", "a.b.domain.biz", "domain.biz"),
        PublicSuffixVector("TLD with some 2-level rules.", "com", nil),
        PublicSuffixVector("TLD with some 2-level rules.", "example.com", "example.com"),
        PublicSuffixVector("TLD with some 2-level rules.", "b.example.com", "example.com"),
        PublicSuffixVector("TLD with some 2-level rules.", "a.b.example.com", "example.com"),
        PublicSuffixVector("TLD with some 2-level rules.", "uk.com", nil),
        PublicSuffixVector("TLD with some 2-level rules.", "example.uk.com", "example.uk.com"),
        PublicSuffixVector("TLD with some 2-level rules.", "b.example.uk.com", "example.uk.com"),
        PublicSuffixVector("TLD with some 2-level rules.", "a.b.example.uk.com", "example.uk.com"),
        PublicSuffixVector("TLD with some 2-level rules.", "test.ac", "test.ac"),
        PublicSuffixVector("TLD with only 1 (wildcard) rule.", "mm", nil),
        PublicSuffixVector("TLD with only 1 (wildcard) rule.", "c.mm", nil),
        PublicSuffixVector("TLD with only 1 (wildcard) rule.", "b.c.mm", "b.c.mm"),
        PublicSuffixVector("TLD with only 1 (wildcard) rule.", "a.b.c.mm", "b.c.mm"),
        PublicSuffixVector("More complex TLD.", "jp", nil),
        PublicSuffixVector("More complex TLD.", "test.jp", "test.jp"),
        PublicSuffixVector("More complex TLD.", "www.test.jp", "test.jp"),
        PublicSuffixVector("More complex TLD.", "ac.jp", nil),
        PublicSuffixVector("More complex TLD.", "test.ac.jp", "test.ac.jp"),
        PublicSuffixVector("More complex TLD.", "www.test.ac.jp", "test.ac.jp"),
        PublicSuffixVector("More complex TLD.", "kyoto.jp", nil),
        PublicSuffixVector("More complex TLD.", "test.kyoto.jp", "test.kyoto.jp"),
        PublicSuffixVector("More complex TLD.", "ide.kyoto.jp", nil),
        PublicSuffixVector("More complex TLD.", "b.ide.kyoto.jp", "b.ide.kyoto.jp"),
        PublicSuffixVector("More complex TLD.", "a.b.ide.kyoto.jp", "b.ide.kyoto.jp"),
        PublicSuffixVector("More complex TLD.", "c.kobe.jp", nil),
        PublicSuffixVector("More complex TLD.", "b.c.kobe.jp", "b.c.kobe.jp"),
        PublicSuffixVector("More complex TLD.", "a.b.c.kobe.jp", "b.c.kobe.jp"),
        PublicSuffixVector("More complex TLD.", "city.kobe.jp", "city.kobe.jp"),
        PublicSuffixVector("More complex TLD.", "www.city.kobe.jp", "city.kobe.jp"),
        PublicSuffixVector("TLD with a wildcard rule and exceptions.", "ck", nil),
        PublicSuffixVector("TLD with a wildcard rule and exceptions.", "test.ck", nil),
        PublicSuffixVector("TLD with a wildcard rule and exceptions.", "b.test.ck", "b.test.ck"),
        PublicSuffixVector("TLD with a wildcard rule and exceptions.", "a.b.test.ck", "b.test.ck"),
        PublicSuffixVector("TLD with a wildcard rule and exceptions.", "www.ck", "www.ck"),
        PublicSuffixVector("TLD with a wildcard rule and exceptions.", "www.www.ck", "www.ck"),
        PublicSuffixVector("US K12.", "us", nil),
        PublicSuffixVector("US K12.", "test.us", "test.us"),
        PublicSuffixVector("US K12.", "www.test.us", "test.us"),
        PublicSuffixVector("US K12.", "ak.us", nil),
        PublicSuffixVector("US K12.", "test.ak.us", "test.ak.us"),
        PublicSuffixVector("US K12.", "www.test.ak.us", "test.ak.us"),
        PublicSuffixVector("US K12.", "k12.ak.us", nil),
        PublicSuffixVector("US K12.", "test.k12.ak.us", "test.k12.ak.us"),
        PublicSuffixVector("US K12.", "www.test.k12.ak.us", "test.k12.ak.us"),
        PublicSuffixVector("IDN labels.", "食狮.com.cn", "食狮.com.cn"),
        PublicSuffixVector("IDN labels.", "食狮.公司.cn", "食狮.公司.cn"),
        PublicSuffixVector("IDN labels.", "www.食狮.公司.cn", "食狮.公司.cn"),
        PublicSuffixVector("IDN labels.", "shishi.公司.cn", "shishi.公司.cn"),
        PublicSuffixVector("IDN labels.", "公司.cn", nil),
        PublicSuffixVector("IDN labels.", "食狮.中国", "食狮.中国"),
        PublicSuffixVector("IDN labels.", "www.食狮.中国", "食狮.中国"),
        PublicSuffixVector("IDN labels.", "shishi.中国", "shishi.中国"),
        PublicSuffixVector("IDN labels.", "中国", nil),
        PublicSuffixVector("Same as above, but punycoded.", "xn--85x722f.com.cn", "xn--85x722f.com.cn"),
        PublicSuffixVector("Same as above, but punycoded.", "xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        PublicSuffixVector(
            "Same as above, but punycoded.",
            "www.xn--85x722f.xn--55qx5d.cn",
            "xn--85x722f.xn--55qx5d.cn"
        ),
        PublicSuffixVector("Same as above, but punycoded.", "shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"),
        PublicSuffixVector("Same as above, but punycoded.", "xn--55qx5d.cn", nil),
        PublicSuffixVector("Same as above, but punycoded.", "xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"),
        PublicSuffixVector("Same as above, but punycoded.", "www.xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"),
        PublicSuffixVector("Same as above, but punycoded.", "shishi.xn--fiqs8s", "shishi.xn--fiqs8s"),
        PublicSuffixVector("Same as above, but punycoded.", "xn--fiqs8s", nil),
    ]
}
