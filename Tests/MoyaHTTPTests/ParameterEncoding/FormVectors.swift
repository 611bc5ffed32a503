// Written by scripts/generate/form-vectors: forms that Node and Python write of the same pairs.
// swift-format-ignore-file

struct FormVector: Sendable {
    let pairs: [(String, String)]
    /// `URLSearchParams`: the serializer of the WHATWG URL standard.
    let whatwg: String
    /// `urlencode(quote_via=quote, safe="/?")`: RFC 3986.
    let rfc3986: String
    /// `urlencode(safe="/?")`: the same with `+` for spaces.
    let plus: String

    static let all: [FormVector] = [
        FormVector(
            pairs: [("a\u{0}b", "\u{0}v")],
            whatwg: "a%00b=%00v",
            rfc3986: "a%00b=%00v",
            plus: "a%00b=%00v"
        ),
        FormVector(
            pairs: [("a\u{1}b", "\u{1}v")],
            whatwg: "a%01b=%01v",
            rfc3986: "a%01b=%01v",
            plus: "a%01b=%01v"
        ),
        FormVector(
            pairs: [("a\u{2}b", "\u{2}v")],
            whatwg: "a%02b=%02v",
            rfc3986: "a%02b=%02v",
            plus: "a%02b=%02v"
        ),
        FormVector(
            pairs: [("a\u{3}b", "\u{3}v")],
            whatwg: "a%03b=%03v",
            rfc3986: "a%03b=%03v",
            plus: "a%03b=%03v"
        ),
        FormVector(
            pairs: [("a\u{4}b", "\u{4}v")],
            whatwg: "a%04b=%04v",
            rfc3986: "a%04b=%04v",
            plus: "a%04b=%04v"
        ),
        FormVector(
            pairs: [("a\u{5}b", "\u{5}v")],
            whatwg: "a%05b=%05v",
            rfc3986: "a%05b=%05v",
            plus: "a%05b=%05v"
        ),
        FormVector(
            pairs: [("a\u{6}b", "\u{6}v")],
            whatwg: "a%06b=%06v",
            rfc3986: "a%06b=%06v",
            plus: "a%06b=%06v"
        ),
        FormVector(
            pairs: [("a\u{7}b", "\u{7}v")],
            whatwg: "a%07b=%07v",
            rfc3986: "a%07b=%07v",
            plus: "a%07b=%07v"
        ),
        FormVector(
            pairs: [("a\u{8}b", "\u{8}v")],
            whatwg: "a%08b=%08v",
            rfc3986: "a%08b=%08v",
            plus: "a%08b=%08v"
        ),
        FormVector(
            pairs: [("a\u{9}b", "\u{9}v")],
            whatwg: "a%09b=%09v",
            rfc3986: "a%09b=%09v",
            plus: "a%09b=%09v"
        ),
        FormVector(
            pairs: [("a\u{A}b", "\u{A}v")],
            whatwg: "a%0Ab=%0Av",
            rfc3986: "a%0Ab=%0Av",
            plus: "a%0Ab=%0Av"
        ),
        FormVector(
            pairs: [("a\u{B}b", "\u{B}v")],
            whatwg: "a%0Bb=%0Bv",
            rfc3986: "a%0Bb=%0Bv",
            plus: "a%0Bb=%0Bv"
        ),
        FormVector(
            pairs: [("a\u{C}b", "\u{C}v")],
            whatwg: "a%0Cb=%0Cv",
            rfc3986: "a%0Cb=%0Cv",
            plus: "a%0Cb=%0Cv"
        ),
        FormVector(
            pairs: [("a\u{D}b", "\u{D}v")],
            whatwg: "a%0Db=%0Dv",
            rfc3986: "a%0Db=%0Dv",
            plus: "a%0Db=%0Dv"
        ),
        FormVector(
            pairs: [("a\u{E}b", "\u{E}v")],
            whatwg: "a%0Eb=%0Ev",
            rfc3986: "a%0Eb=%0Ev",
            plus: "a%0Eb=%0Ev"
        ),
        FormVector(
            pairs: [("a\u{F}b", "\u{F}v")],
            whatwg: "a%0Fb=%0Fv",
            rfc3986: "a%0Fb=%0Fv",
            plus: "a%0Fb=%0Fv"
        ),
        FormVector(
            pairs: [("a\u{10}b", "\u{10}v")],
            whatwg: "a%10b=%10v",
            rfc3986: "a%10b=%10v",
            plus: "a%10b=%10v"
        ),
        FormVector(
            pairs: [("a\u{11}b", "\u{11}v")],
            whatwg: "a%11b=%11v",
            rfc3986: "a%11b=%11v",
            plus: "a%11b=%11v"
        ),
        FormVector(
            pairs: [("a\u{12}b", "\u{12}v")],
            whatwg: "a%12b=%12v",
            rfc3986: "a%12b=%12v",
            plus: "a%12b=%12v"
        ),
        FormVector(
            pairs: [("a\u{13}b", "\u{13}v")],
            whatwg: "a%13b=%13v",
            rfc3986: "a%13b=%13v",
            plus: "a%13b=%13v"
        ),
        FormVector(
            pairs: [("a\u{14}b", "\u{14}v")],
            whatwg: "a%14b=%14v",
            rfc3986: "a%14b=%14v",
            plus: "a%14b=%14v"
        ),
        FormVector(
            pairs: [("a\u{15}b", "\u{15}v")],
            whatwg: "a%15b=%15v",
            rfc3986: "a%15b=%15v",
            plus: "a%15b=%15v"
        ),
        FormVector(
            pairs: [("a\u{16}b", "\u{16}v")],
            whatwg: "a%16b=%16v",
            rfc3986: "a%16b=%16v",
            plus: "a%16b=%16v"
        ),
        FormVector(
            pairs: [("a\u{17}b", "\u{17}v")],
            whatwg: "a%17b=%17v",
            rfc3986: "a%17b=%17v",
            plus: "a%17b=%17v"
        ),
        FormVector(
            pairs: [("a\u{18}b", "\u{18}v")],
            whatwg: "a%18b=%18v",
            rfc3986: "a%18b=%18v",
            plus: "a%18b=%18v"
        ),
        FormVector(
            pairs: [("a\u{19}b", "\u{19}v")],
            whatwg: "a%19b=%19v",
            rfc3986: "a%19b=%19v",
            plus: "a%19b=%19v"
        ),
        FormVector(
            pairs: [("a\u{1A}b", "\u{1A}v")],
            whatwg: "a%1Ab=%1Av",
            rfc3986: "a%1Ab=%1Av",
            plus: "a%1Ab=%1Av"
        ),
        FormVector(
            pairs: [("a\u{1B}b", "\u{1B}v")],
            whatwg: "a%1Bb=%1Bv",
            rfc3986: "a%1Bb=%1Bv",
            plus: "a%1Bb=%1Bv"
        ),
        FormVector(
            pairs: [("a\u{1C}b", "\u{1C}v")],
            whatwg: "a%1Cb=%1Cv",
            rfc3986: "a%1Cb=%1Cv",
            plus: "a%1Cb=%1Cv"
        ),
        FormVector(
            pairs: [("a\u{1D}b", "\u{1D}v")],
            whatwg: "a%1Db=%1Dv",
            rfc3986: "a%1Db=%1Dv",
            plus: "a%1Db=%1Dv"
        ),
        FormVector(
            pairs: [("a\u{1E}b", "\u{1E}v")],
            whatwg: "a%1Eb=%1Ev",
            rfc3986: "a%1Eb=%1Ev",
            plus: "a%1Eb=%1Ev"
        ),
        FormVector(
            pairs: [("a\u{1F}b", "\u{1F}v")],
            whatwg: "a%1Fb=%1Fv",
            rfc3986: "a%1Fb=%1Fv",
            plus: "a%1Fb=%1Fv"
        ),
        FormVector(
            pairs: [("a b", " v")],
            whatwg: "a+b=+v",
            rfc3986: "a%20b=%20v",
            plus: "a+b=+v"
        ),
        FormVector(
            pairs: [("a!b", "!v")],
            whatwg: "a%21b=%21v",
            rfc3986: "a%21b=%21v",
            plus: "a%21b=%21v"
        ),
        FormVector(
            pairs: [("a\"b", "\"v")],
            whatwg: "a%22b=%22v",
            rfc3986: "a%22b=%22v",
            plus: "a%22b=%22v"
        ),
        FormVector(
            pairs: [("a#b", "#v")],
            whatwg: "a%23b=%23v",
            rfc3986: "a%23b=%23v",
            plus: "a%23b=%23v"
        ),
        FormVector(
            pairs: [("a$b", "$v")],
            whatwg: "a%24b=%24v",
            rfc3986: "a%24b=%24v",
            plus: "a%24b=%24v"
        ),
        FormVector(
            pairs: [("a%b", "%v")],
            whatwg: "a%25b=%25v",
            rfc3986: "a%25b=%25v",
            plus: "a%25b=%25v"
        ),
        FormVector(
            pairs: [("a&b", "&v")],
            whatwg: "a%26b=%26v",
            rfc3986: "a%26b=%26v",
            plus: "a%26b=%26v"
        ),
        FormVector(
            pairs: [("a'b", "'v")],
            whatwg: "a%27b=%27v",
            rfc3986: "a%27b=%27v",
            plus: "a%27b=%27v"
        ),
        FormVector(
            pairs: [("a(b", "(v")],
            whatwg: "a%28b=%28v",
            rfc3986: "a%28b=%28v",
            plus: "a%28b=%28v"
        ),
        FormVector(
            pairs: [("a)b", ")v")],
            whatwg: "a%29b=%29v",
            rfc3986: "a%29b=%29v",
            plus: "a%29b=%29v"
        ),
        FormVector(
            pairs: [("a*b", "*v")],
            whatwg: "a*b=*v",
            rfc3986: "a%2Ab=%2Av",
            plus: "a%2Ab=%2Av"
        ),
        FormVector(
            pairs: [("a+b", "+v")],
            whatwg: "a%2Bb=%2Bv",
            rfc3986: "a%2Bb=%2Bv",
            plus: "a%2Bb=%2Bv"
        ),
        FormVector(
            pairs: [("a,b", ",v")],
            whatwg: "a%2Cb=%2Cv",
            rfc3986: "a%2Cb=%2Cv",
            plus: "a%2Cb=%2Cv"
        ),
        FormVector(
            pairs: [("a-b", "-v")],
            whatwg: "a-b=-v",
            rfc3986: "a-b=-v",
            plus: "a-b=-v"
        ),
        FormVector(
            pairs: [("a.b", ".v")],
            whatwg: "a.b=.v",
            rfc3986: "a.b=.v",
            plus: "a.b=.v"
        ),
        FormVector(
            pairs: [("a/b", "/v")],
            whatwg: "a%2Fb=%2Fv",
            rfc3986: "a/b=/v",
            plus: "a/b=/v"
        ),
        FormVector(
            pairs: [("a0b", "0v")],
            whatwg: "a0b=0v",
            rfc3986: "a0b=0v",
            plus: "a0b=0v"
        ),
        FormVector(
            pairs: [("a1b", "1v")],
            whatwg: "a1b=1v",
            rfc3986: "a1b=1v",
            plus: "a1b=1v"
        ),
        FormVector(
            pairs: [("a2b", "2v")],
            whatwg: "a2b=2v",
            rfc3986: "a2b=2v",
            plus: "a2b=2v"
        ),
        FormVector(
            pairs: [("a3b", "3v")],
            whatwg: "a3b=3v",
            rfc3986: "a3b=3v",
            plus: "a3b=3v"
        ),
        FormVector(
            pairs: [("a4b", "4v")],
            whatwg: "a4b=4v",
            rfc3986: "a4b=4v",
            plus: "a4b=4v"
        ),
        FormVector(
            pairs: [("a5b", "5v")],
            whatwg: "a5b=5v",
            rfc3986: "a5b=5v",
            plus: "a5b=5v"
        ),
        FormVector(
            pairs: [("a6b", "6v")],
            whatwg: "a6b=6v",
            rfc3986: "a6b=6v",
            plus: "a6b=6v"
        ),
        FormVector(
            pairs: [("a7b", "7v")],
            whatwg: "a7b=7v",
            rfc3986: "a7b=7v",
            plus: "a7b=7v"
        ),
        FormVector(
            pairs: [("a8b", "8v")],
            whatwg: "a8b=8v",
            rfc3986: "a8b=8v",
            plus: "a8b=8v"
        ),
        FormVector(
            pairs: [("a9b", "9v")],
            whatwg: "a9b=9v",
            rfc3986: "a9b=9v",
            plus: "a9b=9v"
        ),
        FormVector(
            pairs: [("a:b", ":v")],
            whatwg: "a%3Ab=%3Av",
            rfc3986: "a%3Ab=%3Av",
            plus: "a%3Ab=%3Av"
        ),
        FormVector(
            pairs: [("a;b", ";v")],
            whatwg: "a%3Bb=%3Bv",
            rfc3986: "a%3Bb=%3Bv",
            plus: "a%3Bb=%3Bv"
        ),
        FormVector(
            pairs: [("a<b", "<v")],
            whatwg: "a%3Cb=%3Cv",
            rfc3986: "a%3Cb=%3Cv",
            plus: "a%3Cb=%3Cv"
        ),
        FormVector(
            pairs: [("a=b", "=v")],
            whatwg: "a%3Db=%3Dv",
            rfc3986: "a%3Db=%3Dv",
            plus: "a%3Db=%3Dv"
        ),
        FormVector(
            pairs: [("a>b", ">v")],
            whatwg: "a%3Eb=%3Ev",
            rfc3986: "a%3Eb=%3Ev",
            plus: "a%3Eb=%3Ev"
        ),
        FormVector(
            pairs: [("a?b", "?v")],
            whatwg: "a%3Fb=%3Fv",
            rfc3986: "a?b=?v",
            plus: "a?b=?v"
        ),
        FormVector(
            pairs: [("a@b", "@v")],
            whatwg: "a%40b=%40v",
            rfc3986: "a%40b=%40v",
            plus: "a%40b=%40v"
        ),
        FormVector(
            pairs: [("aAb", "Av")],
            whatwg: "aAb=Av",
            rfc3986: "aAb=Av",
            plus: "aAb=Av"
        ),
        FormVector(
            pairs: [("aBb", "Bv")],
            whatwg: "aBb=Bv",
            rfc3986: "aBb=Bv",
            plus: "aBb=Bv"
        ),
        FormVector(
            pairs: [("aCb", "Cv")],
            whatwg: "aCb=Cv",
            rfc3986: "aCb=Cv",
            plus: "aCb=Cv"
        ),
        FormVector(
            pairs: [("aDb", "Dv")],
            whatwg: "aDb=Dv",
            rfc3986: "aDb=Dv",
            plus: "aDb=Dv"
        ),
        FormVector(
            pairs: [("aEb", "Ev")],
            whatwg: "aEb=Ev",
            rfc3986: "aEb=Ev",
            plus: "aEb=Ev"
        ),
        FormVector(
            pairs: [("aFb", "Fv")],
            whatwg: "aFb=Fv",
            rfc3986: "aFb=Fv",
            plus: "aFb=Fv"
        ),
        FormVector(
            pairs: [("aGb", "Gv")],
            whatwg: "aGb=Gv",
            rfc3986: "aGb=Gv",
            plus: "aGb=Gv"
        ),
        FormVector(
            pairs: [("aHb", "Hv")],
            whatwg: "aHb=Hv",
            rfc3986: "aHb=Hv",
            plus: "aHb=Hv"
        ),
        FormVector(
            pairs: [("aIb", "Iv")],
            whatwg: "aIb=Iv",
            rfc3986: "aIb=Iv",
            plus: "aIb=Iv"
        ),
        FormVector(
            pairs: [("aJb", "Jv")],
            whatwg: "aJb=Jv",
            rfc3986: "aJb=Jv",
            plus: "aJb=Jv"
        ),
        FormVector(
            pairs: [("aKb", "Kv")],
            whatwg: "aKb=Kv",
            rfc3986: "aKb=Kv",
            plus: "aKb=Kv"
        ),
        FormVector(
            pairs: [("aLb", "Lv")],
            whatwg: "aLb=Lv",
            rfc3986: "aLb=Lv",
            plus: "aLb=Lv"
        ),
        FormVector(
            pairs: [("aMb", "Mv")],
            whatwg: "aMb=Mv",
            rfc3986: "aMb=Mv",
            plus: "aMb=Mv"
        ),
        FormVector(
            pairs: [("aNb", "Nv")],
            whatwg: "aNb=Nv",
            rfc3986: "aNb=Nv",
            plus: "aNb=Nv"
        ),
        FormVector(
            pairs: [("aOb", "Ov")],
            whatwg: "aOb=Ov",
            rfc3986: "aOb=Ov",
            plus: "aOb=Ov"
        ),
        FormVector(
            pairs: [("aPb", "Pv")],
            whatwg: "aPb=Pv",
            rfc3986: "aPb=Pv",
            plus: "aPb=Pv"
        ),
        FormVector(
            pairs: [("aQb", "Qv")],
            whatwg: "aQb=Qv",
            rfc3986: "aQb=Qv",
            plus: "aQb=Qv"
        ),
        FormVector(
            pairs: [("aRb", "Rv")],
            whatwg: "aRb=Rv",
            rfc3986: "aRb=Rv",
            plus: "aRb=Rv"
        ),
        FormVector(
            pairs: [("aSb", "Sv")],
            whatwg: "aSb=Sv",
            rfc3986: "aSb=Sv",
            plus: "aSb=Sv"
        ),
        FormVector(
            pairs: [("aTb", "Tv")],
            whatwg: "aTb=Tv",
            rfc3986: "aTb=Tv",
            plus: "aTb=Tv"
        ),
        FormVector(
            pairs: [("aUb", "Uv")],
            whatwg: "aUb=Uv",
            rfc3986: "aUb=Uv",
            plus: "aUb=Uv"
        ),
        FormVector(
            pairs: [("aVb", "Vv")],
            whatwg: "aVb=Vv",
            rfc3986: "aVb=Vv",
            plus: "aVb=Vv"
        ),
        FormVector(
            pairs: [("aWb", "Wv")],
            whatwg: "aWb=Wv",
            rfc3986: "aWb=Wv",
            plus: "aWb=Wv"
        ),
        FormVector(
            pairs: [("aXb", "Xv")],
            whatwg: "aXb=Xv",
            rfc3986: "aXb=Xv",
            plus: "aXb=Xv"
        ),
        FormVector(
            pairs: [("aYb", "Yv")],
            whatwg: "aYb=Yv",
            rfc3986: "aYb=Yv",
            plus: "aYb=Yv"
        ),
        FormVector(
            pairs: [("aZb", "Zv")],
            whatwg: "aZb=Zv",
            rfc3986: "aZb=Zv",
            plus: "aZb=Zv"
        ),
        FormVector(
            pairs: [("a[b", "[v")],
            whatwg: "a%5Bb=%5Bv",
            rfc3986: "a%5Bb=%5Bv",
            plus: "a%5Bb=%5Bv"
        ),
        FormVector(
            pairs: [("a\\b", "\\v")],
            whatwg: "a%5Cb=%5Cv",
            rfc3986: "a%5Cb=%5Cv",
            plus: "a%5Cb=%5Cv"
        ),
        FormVector(
            pairs: [("a]b", "]v")],
            whatwg: "a%5Db=%5Dv",
            rfc3986: "a%5Db=%5Dv",
            plus: "a%5Db=%5Dv"
        ),
        FormVector(
            pairs: [("a^b", "^v")],
            whatwg: "a%5Eb=%5Ev",
            rfc3986: "a%5Eb=%5Ev",
            plus: "a%5Eb=%5Ev"
        ),
        FormVector(
            pairs: [("a_b", "_v")],
            whatwg: "a_b=_v",
            rfc3986: "a_b=_v",
            plus: "a_b=_v"
        ),
        FormVector(
            pairs: [("a`b", "`v")],
            whatwg: "a%60b=%60v",
            rfc3986: "a%60b=%60v",
            plus: "a%60b=%60v"
        ),
        FormVector(
            pairs: [("aab", "av")],
            whatwg: "aab=av",
            rfc3986: "aab=av",
            plus: "aab=av"
        ),
        FormVector(
            pairs: [("abb", "bv")],
            whatwg: "abb=bv",
            rfc3986: "abb=bv",
            plus: "abb=bv"
        ),
        FormVector(
            pairs: [("acb", "cv")],
            whatwg: "acb=cv",
            rfc3986: "acb=cv",
            plus: "acb=cv"
        ),
        FormVector(
            pairs: [("adb", "dv")],
            whatwg: "adb=dv",
            rfc3986: "adb=dv",
            plus: "adb=dv"
        ),
        FormVector(
            pairs: [("aeb", "ev")],
            whatwg: "aeb=ev",
            rfc3986: "aeb=ev",
            plus: "aeb=ev"
        ),
        FormVector(
            pairs: [("afb", "fv")],
            whatwg: "afb=fv",
            rfc3986: "afb=fv",
            plus: "afb=fv"
        ),
        FormVector(
            pairs: [("agb", "gv")],
            whatwg: "agb=gv",
            rfc3986: "agb=gv",
            plus: "agb=gv"
        ),
        FormVector(
            pairs: [("ahb", "hv")],
            whatwg: "ahb=hv",
            rfc3986: "ahb=hv",
            plus: "ahb=hv"
        ),
        FormVector(
            pairs: [("aib", "iv")],
            whatwg: "aib=iv",
            rfc3986: "aib=iv",
            plus: "aib=iv"
        ),
        FormVector(
            pairs: [("ajb", "jv")],
            whatwg: "ajb=jv",
            rfc3986: "ajb=jv",
            plus: "ajb=jv"
        ),
        FormVector(
            pairs: [("akb", "kv")],
            whatwg: "akb=kv",
            rfc3986: "akb=kv",
            plus: "akb=kv"
        ),
        FormVector(
            pairs: [("alb", "lv")],
            whatwg: "alb=lv",
            rfc3986: "alb=lv",
            plus: "alb=lv"
        ),
        FormVector(
            pairs: [("amb", "mv")],
            whatwg: "amb=mv",
            rfc3986: "amb=mv",
            plus: "amb=mv"
        ),
        FormVector(
            pairs: [("anb", "nv")],
            whatwg: "anb=nv",
            rfc3986: "anb=nv",
            plus: "anb=nv"
        ),
        FormVector(
            pairs: [("aob", "ov")],
            whatwg: "aob=ov",
            rfc3986: "aob=ov",
            plus: "aob=ov"
        ),
        FormVector(
            pairs: [("apb", "pv")],
            whatwg: "apb=pv",
            rfc3986: "apb=pv",
            plus: "apb=pv"
        ),
        FormVector(
            pairs: [("aqb", "qv")],
            whatwg: "aqb=qv",
            rfc3986: "aqb=qv",
            plus: "aqb=qv"
        ),
        FormVector(
            pairs: [("arb", "rv")],
            whatwg: "arb=rv",
            rfc3986: "arb=rv",
            plus: "arb=rv"
        ),
        FormVector(
            pairs: [("asb", "sv")],
            whatwg: "asb=sv",
            rfc3986: "asb=sv",
            plus: "asb=sv"
        ),
        FormVector(
            pairs: [("atb", "tv")],
            whatwg: "atb=tv",
            rfc3986: "atb=tv",
            plus: "atb=tv"
        ),
        FormVector(
            pairs: [("aub", "uv")],
            whatwg: "aub=uv",
            rfc3986: "aub=uv",
            plus: "aub=uv"
        ),
        FormVector(
            pairs: [("avb", "vv")],
            whatwg: "avb=vv",
            rfc3986: "avb=vv",
            plus: "avb=vv"
        ),
        FormVector(
            pairs: [("awb", "wv")],
            whatwg: "awb=wv",
            rfc3986: "awb=wv",
            plus: "awb=wv"
        ),
        FormVector(
            pairs: [("axb", "xv")],
            whatwg: "axb=xv",
            rfc3986: "axb=xv",
            plus: "axb=xv"
        ),
        FormVector(
            pairs: [("ayb", "yv")],
            whatwg: "ayb=yv",
            rfc3986: "ayb=yv",
            plus: "ayb=yv"
        ),
        FormVector(
            pairs: [("azb", "zv")],
            whatwg: "azb=zv",
            rfc3986: "azb=zv",
            plus: "azb=zv"
        ),
        FormVector(
            pairs: [("a{b", "{v")],
            whatwg: "a%7Bb=%7Bv",
            rfc3986: "a%7Bb=%7Bv",
            plus: "a%7Bb=%7Bv"
        ),
        FormVector(
            pairs: [("a|b", "|v")],
            whatwg: "a%7Cb=%7Cv",
            rfc3986: "a%7Cb=%7Cv",
            plus: "a%7Cb=%7Cv"
        ),
        FormVector(
            pairs: [("a}b", "}v")],
            whatwg: "a%7Db=%7Dv",
            rfc3986: "a%7Db=%7Dv",
            plus: "a%7Db=%7Dv"
        ),
        FormVector(
            pairs: [("a~b", "~v")],
            whatwg: "a%7Eb=%7Ev",
            rfc3986: "a~b=~v",
            plus: "a~b=~v"
        ),
        FormVector(
            pairs: [("a\u{7F}b", "\u{7F}v")],
            whatwg: "a%7Fb=%7Fv",
            rfc3986: "a%7Fb=%7Fv",
            plus: "a%7Fb=%7Fv"
        ),
        FormVector(
            pairs: [("", "")],
            whatwg: "=",
            rfc3986: "=",
            plus: "="
        ),
        FormVector(
            pairs: [("", "v")],
            whatwg: "=v",
            rfc3986: "=v",
            plus: "=v"
        ),
        FormVector(
            pairs: [("n", "")],
            whatwg: "n=",
            rfc3986: "n=",
            plus: "n="
        ),
        FormVector(
            pairs: [("a", "1"), ("b", "2"), ("c", "")],
            whatwg: "a=1&b=2&c=",
            rfc3986: "a=1&b=2&c=",
            plus: "a=1&b=2&c="
        ),
        FormVector(
            pairs: [("a b", "c d"), (" ", "  ")],
            whatwg: "a+b=c+d&+=++",
            rfc3986: "a%20b=c%20d&%20=%20%20",
            plus: "a+b=c+d&+=++"
        ),
        FormVector(
            pairs: [("k[]", "1"), ("k[0]", "2"), ("k[a][b]", "3"), ("k.a", "4")],
            whatwg: "k%5B%5D=1&k%5B0%5D=2&k%5Ba%5D%5Bb%5D=3&k.a=4",
            rfc3986: "k%5B%5D=1&k%5B0%5D=2&k%5Ba%5D%5Bb%5D=3&k.a=4",
            plus: "k%5B%5D=1&k%5B0%5D=2&k%5Ba%5D%5Bb%5D=3&k.a=4"
        ),
        FormVector(
            pairs: [("e\u{301}", "\u{E9}"), ("\u{DF}", "\u{1E9E}")],
            whatwg: "e%CC%81=%C3%A9&%C3%9F=%E1%BA%9E",
            rfc3986: "e%CC%81=%C3%A9&%C3%9F=%E1%BA%9E",
            plus: "e%CC%81=%C3%A9&%C3%9F=%E1%BA%9E"
        ),
        FormVector(
            pairs: [("\u{4E2D}\u{6587}", "\u{65E5}\u{672C}\u{8A9E}")],
            whatwg: "%E4%B8%AD%E6%96%87=%E6%97%A5%E6%9C%AC%E8%AA%9E",
            rfc3986: "%E4%B8%AD%E6%96%87=%E6%97%A5%E6%9C%AC%E8%AA%9E",
            plus: "%E4%B8%AD%E6%96%87=%E6%97%A5%E6%9C%AC%E8%AA%9E"
        ),
        FormVector(
            pairs: [("\u{1F600}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"), ("\u{1F1E9}\u{1F1EA}", "\u{10FFFF}")],
            whatwg: "%F0%9F%98%80=%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7&%F0%9F%87%A9%F0%9F%87%AA=%F4%8F%BF%BF",
            rfc3986: "%F0%9F%98%80=%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7&%F0%9F%87%A9%F0%9F%87%AA=%F4%8F%BF%BF",
            plus: "%F0%9F%98%80=%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7&%F0%9F%87%A9%F0%9F%87%AA=%F4%8F%BF%BF"
        ),
        FormVector(
            pairs: [("\u{200F}\u{5D0}", "\u{627}"), ("\u{2028}", "\u{A0}"), ("\u{FEFF}", "\u{FFFD}")],
            whatwg: "%E2%80%8F%D7%90=%D8%A7&%E2%80%A8=%C2%A0&%EF%BB%BF=%EF%BF%BD",
            rfc3986: "%E2%80%8F%D7%90=%D8%A7&%E2%80%A8=%C2%A0&%EF%BB%BF=%EF%BF%BD",
            plus: "%E2%80%8F%D7%90=%D8%A7&%E2%80%A8=%C2%A0&%EF%BB%BF=%EF%BF%BD"
        ),
        FormVector(
            pairs: [("%20", "+%2B+"), ("&=", "=&"), ("a&b=c", "d&e=f"), ("#", "?/#")],
            whatwg: "%2520=%2B%252B%2B&%26%3D=%3D%26&a%26b%3Dc=d%26e%3Df&%23=%3F%2F%23",
            rfc3986: "%2520=%2B%252B%2B&%26%3D=%3D%26&a%26b%3Dc=d%26e%3Df&%23=?/%23",
            plus: "%2520=%2B%252B%2B&%26%3D=%3D%26&a%26b%3Dc=d%26e%3Df&%23=?/%23"
        ),
        FormVector(
            pairs: [("crlf", "a\u{D}\u{A}b"), ("lf", "a\u{A}b"), ("cr", "a\u{D}b")],
            whatwg: "crlf=a%0D%0Ab&lf=a%0Ab&cr=a%0Db",
            rfc3986: "crlf=a%0D%0Ab&lf=a%0Ab&cr=a%0Db",
            plus: "crlf=a%0D%0Ab&lf=a%0Ab&cr=a%0Db"
        ),
        FormVector(
            pairs: [(":/?#[]@", "!$&'()*+,;="), ("-._~", "\"<>\\^`{|}")],
            whatwg: "%3A%2F%3F%23%5B%5D%40=%21%24%26%27%28%29*%2B%2C%3B%3D&-._%7E=%22%3C%3E%5C%5E%60%7B%7C%7D",
            rfc3986: "%3A/?%23%5B%5D%40=%21%24%26%27%28%29%2A%2B%2C%3B%3D&-._~=%22%3C%3E%5C%5E%60%7B%7C%7D",
            plus: "%3A/?%23%5B%5D%40=%21%24%26%27%28%29%2A%2B%2C%3B%3D&-._~=%22%3C%3E%5C%5E%60%7B%7C%7D"
        ),
    ]
}
