import Rhumb
import RhumbTestSupport
import RhumbTerminal

/// Targets with short inputs: keys, headers, places and addresses.
extension FuzzTarget {
    static let smallTargets = [
        FuzzTarget("keys", texts: keys) { bytes in
            for isUTF8 in [true, false] {
                var decoder = KeyDecoder(isUTF8: isUTF8)
                let middle = bytes.count / 2
                _ = decoder.read(bytes[..<middle])
                _ = decoder.read(bytes[middle...])
                _ = decoder.pause()
            }
        },
        FuzzTarget("headers", texts: headers) { bytes in
            let text = String(decoding: bytes, as: UTF8.self), now = UnixSeconds(1_800_000_000)
            _ = ByteRange.parse(contentRange: text)
            _ = ByteRange(offset: 5, count: 10)?.isAnswered(byContentRange: text, bodyCount: 10)
            let all: HTTPHeaders = [
                "Cache-Control": text, "Age": text, "Retry-After": text, "Date": text, "Expires": text,
                "Last-Modified": text,
                "Vary": text, "ETag": text,
            ]
            _ = RetryHint.seconds(in: all, now: now)
            let freshness = Freshness(headers: all, requestedAt: now, receivedAt: now, policy: .tiles())
            _ = (
                freshness.state(at: UnixSeconds(.max)), freshness.state(at: UnixSeconds(.min)),
                freshness.expiresAt
            )
        },
        FuzzTarget("addresses", texts: addresses) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = URLReference("https://a.example/b/c?d#e").resolving(URLReference(text)).description
            _ = HTTPAddress(text).canonical
            _ = SafeText.sanitised(text, limit: 40)
            _ = SafeText.plain(html: text)
            _ = try? URLTemplate(text)
        },
    ]

    private static let keys = [
        "a\u{1B}[A\u{1B}[1;6D\u{1B}[<32;11;5M\u{1B}[200~pasted\u{1B}[201~\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}é東🗺",
        "\u{1B}[?62;4c\u{1B}[6;20;10t\u{1B}[4;600;800t\u{1B}P>|kitty(0.31)\u{1B}\\\u{1B}OP\u{1B}[15~",
    ]

    private static let headers = [
        "bytes 0-99/1000", "bytes 18446744073709551614-18446744073709551615/*",
        "max-age=99999999999999999999, must-revalidate",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "9223372036854775807",
        "no-cache=\"a, b\", stale-if-error=60", "W/\"abc\"",
    ]

    private static let addresses = [
        "https://user:pass@a.example:8443/x/../y/{z}/{x}/{y}{r}.png?key={key}#f", "//h/p", "../../x?y=%zz",
        "https://{a,b,c}.tile.example/{z}/{-y}/{x}.pbf", "<a href=\"x\">© A &amp; B</a>\u{202E}\u{1B}[31m",
    ]
}
