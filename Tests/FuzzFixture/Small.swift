import Rhumb
import RhumbTestSupport
import RhumbTerminal

/// Targets with short inputs: keys, headers, places and addresses.
extension FuzzTarget {
    static let smallTargets = [
        FuzzTarget("keys", texts: keys) { bytes in
            for isUTF8 in [true, false] {
                var decoder = KeyDecoder(isUTF8: isUTF8), support = GraphicsSupport()
                let middle = bytes.count / 2
                var reports = decoder.read(bytes[..<middle])
                reports += decoder.read(bytes[middle...])
                reports += decoder.pause() + decoder.expire()
                for report in reports { support.note(report) }
                for multiplexer in [nil, "tmux"] {
                    support.multiplexer = multiplexer
                    _ = (support.choice(nil), support.choice(.kitty), support.choice(.sixel))
                }
            }
        },
        FuzzTarget("headers", texts: headers) { bytes in
            let text = String(decoding: bytes, as: UTF8.self), now = UnixSeconds(1_800_000_000)
            _ = ByteRange.parse(contentRange: text)
            _ = ByteRange(offset: 5, count: 10)?.isAnswered(byContentRange: text, bodyCount: 10)
            let all: HTTPHeaders = [
                "Cache-Control": text, "Age": text, "Retry-After": text, "Date": text, "Expires": text,
                "Last-Modified": text,
                "Vary": text, "ETag": text, "Cache-Status": text,
            ]
            _ = (CacheStatus(of: all), Vary(of: all).key(for: all), Validators(of: all).conditions)
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
            _ = Redaction.redacted(text, home: "/home/a", names: ["a"])
        },
        FuzzTarget("places", texts: places) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            for near in [nil, Coordinate(latitude: 60.39, longitude: 22.37)] {
                guard let location = try? ParsedLocation(text, near: near) else { continue }
                let viewport = Viewport(
                    camera: Camera(center: .init(x: 0, y: 0), zoom: 3), columns: 60, rows: 20)
                let camera = location.camera(on: viewport)
                let notations = PlaceNotations(Viewport(camera: camera, columns: 60, rows: 20))
                _ = (
                    notations.coordinate, notations.zoom, notations.geo, notations.openStreetMap,
                    notations.geohash
                )
                _ = (notations.plusCode, notations.militaryGrid, notations.utm, notations.maidenhead)
            }
        },
    ]

    private static let places = [
        "60°23'35\"N 22°22'44\"E 7km", "602335N 0222244E", "60,39 22,37 12.5z", "35V 465000 6695000",
        "35VML6500095000",
        "KP10dm", "12/2302/1187", "u6xzt19", "9GG499QC+X2", "99QC+X2", "geo:60.4,22.4;u=35?z=11",
        "https://www.openstreetmap.org/?mlat=60.4&mlon=22.3#map=12/60.4/22.3",
        "https://www.google.com/maps/@60.4,22.3,12.5z",
    ]

    private static let keys = [
        "a\u{1B}[A\u{1B}[1;6D\u{1B}[<32;11;5M\u{1B}[200~pasted\u{1B}[201~\u{1B}]11;rgb:1e1e/1e1e/1e1e\u{7}é東🗺",
        "\u{1B}[?62;4c\u{1B}[6;20;10t\u{1B}[4;600;800t\u{1B}P>|kitty(0.31)\u{1B}\\\u{1B}OP\u{1B}[15~",
        "\u{1B}_Gi=4294967295;OK\u{1B}\\\u{1B}_Gi=7,I=3;ENOENT:gone\u{1B}\\",
        "\u{1B}[?2;0;800;600S\u{1B}[?997;2n\u{1B}[M !!",
    ]

    private static let headers = [
        "bytes 0-99/1000", "bytes 18446744073709551614-18446744073709551615/*",
        "max-age=99999999999999999999, must-revalidate",
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "9223372036854775807",
        "no-cache=\"a, b\", stale-if-error=60", "W/\"abc\"", "Accept-Encoding, Accept",
        "cache; hit; ttl=-5; fwd=stale; fwd-status=304; stored, \"a, b\"; collapsed=?0",
    ]

    private static let addresses = [
        "https://user:pass@a.example:8443/x/../y/{z}/{x}/{y}{r}.png?key={key}#f", "//h/p", "../../x?y=%zz",
        "https://{a,b,c}.tile.example/{z}/{-y}/{x}.pbf", "<a href=\"x\">© A &amp; B</a>\u{202E}\u{1B}[31m",
    ]
}
