import RhumbCore
import Testing

struct URLTemplateTests {
    static let tile = TileID(zoom: 11, x: 327, y: 791) ?? .world

    private func url(
        _ text: String, _ tile: TileID = tile, subdomains: [String] = [], scale: Int = 1,
        values: [String: String] = [:]
    ) throws -> String {
        try URLTemplate(text, subdomains: subdomains, scale: scale, values: values).address(for: tile).url
    }

    @Test(arguments: [
        ("https://h/{z}/{x}/{y}.png", "https://h/11/327/791.png"),
        ("https://h/{z}/{y}/{x}", "https://h/11/791/327"),
        ("https://h/{z}/{x}/{-y}.png", "https://h/11/327/1256.png"),
        ("https://h/{prefix}/{z}/{x}/{y}", "https://h/77/11/327/791"),
        ("https://h/{z}/{x}/{y}{r}.png", "https://h/11/327/791.png"),
        ("https://{a,b,c}.h/{z}/{x}/{y}", "https://c.h/11/327/791"),
        ("https://h/{z}/{x}/{y}?t={time}", "https://h/11/327/791?t=2026-01-01"),
    ])
    func `tokens are replaced`(template: String, address: String) throws {
        #expect(try url(template, values: ["time": "2026-01-01"]) == address)
    }

    @Test(arguments: [((3, 3, 5), "213"), ((12, 3423, 1763), "132123211133"), ((0, 0, 0), "")])
    func `quadkeys equal those of the reference`(numbers: (Int, Int, Int), key: String) throws {
        let tile = try #require(TileID(zoom: numbers.0, x: numbers.1, y: numbers.2))
        #expect(try url("https://h/{q}/{quadkey}", tile) == "https://h/\(key)/\(key)")
    }

    @Test func `a box is in metres, in the order west, south, east, north`() throws {
        let tile = try #require(TileID(zoom: 10, x: 511, y: 340))
        let edges = try url("https://h/?bbox={bbox-epsg-3857}", tile).split(separator: "=")[1]
            .split(separator: ",").compactMap { Double($0) }
        let expected = [-39_135.758, 6_692_214.701, 0, 6_731_350.459]
        #expect(edges.count == 4)
        #expect(zip(edges, expected).allSatisfy { abs($0 - $1) < 0.001 }, "\(edges)")
        #expect(try url("https://h/{bbox-epsg-3857}", tile).contains(",0,"))
    }

    @Test func `a scale of two is marked`() throws {
        #expect(try url("https://h/{z}/{x}/{y}{ratio}.png", scale: 2) == "https://h/11/327/791@2x.png")
    }

    @Test func `a tile always has the same subdomain, and its neighbour the next`() throws {
        let names = try (0..<6).map { column in
            let tile = try #require(TileID(zoom: 5, x: column, y: 0))
            return try url("https://{s}.h/{z}/{x}/{y}", tile, subdomains: ["a", "b", "c"]).dropFirst(8).first
        }
        #expect(names == ["a", "b", "c", "a", "b", "c"])
    }

    @Test(
        arguments: [
            ("https://h/{z}/{x}/{yy}", .unknownToken("yy")), ("https://h/{z}/{x}/{}", .unknownToken("")),
            ("https://h/{z}/{x}/{y", .unclosedToken), ("https://h/{z}/{x}/y}", .unclosedToken),
            ("https://{s}.h/{z}/{x}/{y}", .noSubdomains), ("https://h/tile.png", .noTile),
            ("https://h/{z}/{x}", .noTile), ("ftp://h/{z}/{x}/{y}", .noWebAddress),
            ("{z}/{x}/{y}", .noWebAddress),
            ("https://h/{z}/{x}/{y}?key={key}", .unknownToken("key")),
            ("https://h/{z}/{x}/{y}/{a,}", .unknownToken("a,")),
        ] as [(String, URLTemplateFailure)])
    func `a template that can't work is rejected with the reason`(text: String, failure: URLTemplateFailure) {
        #expect(throws: failure) { try URLTemplate(text) }
    }

    @Test(
        arguments: [
            ("https://{a,b}.h/{z}/{x}/{y}", ["https://a.h", "https://b.h"]),
            ("https://H.:443/{z}/{x}/{y}", ["https://h"]),
            ("https://{x.example/?,a}.h/{z}/{x}/{y}", ["https://x.example", "https://a.h"]),
            ("http://{key}:{key}@h:8080/{z}/{x}/{y}?k={key}", ["http://h:8080"]),
            ("https://h.{x}.b/{z}/{x}/{y}", ["https://h.0.b"]),
        ] as [(String, Set<String>)])
    func `a template lists all its servers`(text: String, origins: Set<String>) throws {
        #expect(try URLTemplate(text, secretNames: ["key"]).origins == origins)
    }

    @Test(
        arguments: [
            ("https://{key}.h/{z}/{x}/{y}", .secretInHost), ("https://h.{key}/{z}/{x}/{y}", .secretInHost),
            ("https://{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}.h/{z}/{x}/{y}", .tooManyHosts),
            ("https://{a,b@c@d}.h/{z}/{x}/{y}", .noWebAddress),
        ] as [(String, URLTemplateFailure)])
    func `a template whose servers can't be listed is rejected`(text: String, failure: URLTemplateFailure) {
        #expect(throws: failure) { try URLTemplate(text, secretNames: ["key"]) }
    }

    @Test func `the rejection names the unknown token and the known ones`() {
        let text = URLTemplateFailure.unknownToken("q\u{1B}[31mx").description
        #expect(text.contains("{q[31mx}") && text.contains("{quadkey}") && text.contains("{-y}"))
    }

    @Test func `secrets are inserted and encoded but never shown`() throws {
        let template = try URLTemplate("https://h/{key}/{z}/{x}/{y}?k={key}&a=1", secretNames: ["key"])
        let address = template.address(for: Self.tile, secrets: ["key": "MARK/ER&"])
        #expect(address.url == "https://h/MARK%2FER%26/11/327/791?k=MARK%2FER%26&a=1")
        #expect(!"\(address)".contains("MARK"))
        #expect(!"\(address.cleaned("server says MARK/ER& is wrong"))".contains("MARK"))
        #expect(template.secretNames == ["key"])
    }

    @Test(arguments: [
        "https://h/{z}/{x}/{y}.png", "https://H:443/{z}/{x}/{-y}.png?key={key}#part", "https://h/{key}/{q}",
        "https://u:p@h/{z}/{x}/{y}", "https://{a,b}.h/{z}/{x}/{y}", "https://h{x}.example/{z}/{x}/{y}",
        "https://h/{a,b,c}/{z}/{x}/{y}", "https://h/{z}/{x}/{y}?token={x}&k={key}",
        "http://h?z={z}&x={x}&y={y}",
        "HTTP://h/a b/{prefix}/{bbox-epsg-3857}", "http://[::1]:8080/{quadkey}.jpeg?access_token={key}",
    ])
    func `addresses created in sequence equal those created one by one`(text: String) throws {
        let template = try URLTemplate(text, secretNames: ["key"]), secrets = ["key": "MARK/ER&"]
        let addresses = TileAddresses(template, secrets: secrets)
        let tiles =
            [TileID.world]
            + [(1, 1, 0), (9, 300, 200), (22, 4_194_303, 0)].compactMap { TileID(zoom: $0, x: $1, y: $2) }
        for tile in tiles {
            #expect(addresses.address(for: tile) == template.address(for: tile, secrets: secrets))
        }
    }

    @Test(arguments: [
        ("https://h/{z}/{x}/{y}.png?key={key}&tileSize=512", "https://h/{z}/{x}/{y}.png?tileSize=512"),
        ("https://h/{z}/{x}/{y}.png?tileSize=512&apiKey=abcdef", "https://h/{z}/{x}/{y}.png?tileSize=512"),
        ("https://h/{z}/{x}/{y}?access_token=x", "https://h/{z}/{x}/{y}"),
        ("https://h/{z}/{x}/{y}?t=1588&style=night&view=IN", "https://h/{z}/{x}/{y}?style=night&view=IN"),
        ("https://{a,b}.h/{quadkey}", "https://{s}.h/{q}"),
        ("https://u:p@h/{z}/{x}/{y}", "https://h/{z}/{x}/{y}"),
        ("https://h/{key}/{z}/{x}/{y}", "https://h/{key}/{z}/{x}/{y}"),
        ("https://h/{z}/{x}/{y}?language={lang}", "https://h/{z}/{x}/{y}?language=de"),
    ])
    func `the canonical form has no secrets and nothing volatile`(text: String, canonical: String) throws {
        let template = try URLTemplate(text, values: ["lang": "de"], secretNames: ["key"])
        #expect(template.canonical == canonical)
    }
}
