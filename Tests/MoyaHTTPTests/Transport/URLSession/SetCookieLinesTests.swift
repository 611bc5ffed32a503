import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

@Suite("Set-Cookie lines that Foundation has joined are split")
struct SetCookieLinesTests {
    @Test(
        "joined Set-Cookie lines are split at commas between cookies and not at commas in dates",
        arguments: [
            ("", []),
            ("a=1", ["a=1"]),
            ("a=1, b=2", ["a=1", "b=2"]),
            ("a=1,b=2; Path=/", ["a=1", "b=2; Path=/"]),
            (
                "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/, b=2; Expires=Thu, 22 Oct 2026 07:28:00 GMT",
                ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", "b=2; Expires=Thu, 22 Oct 2026 07:28:00 GMT"]
            ),
            (
                "a=1; Expires=Wednesday, 21-Oct-26 07:28:00 GMT, b=",
                [
                    "a=1; Expires=Wednesday, 21-Oct-26 07:28:00 GMT", "b=",
                ]
            ),
            ("a=x,y, b=2", ["a=x,y", "b=2"]),
            (",, ,a=1,,", ["a=1,,"]),
        ]
    )
    func split(joined: String, lines: [String]) {
        #expect(SetCookieLines.split(joined) == lines)
    }
}
