import RhumbEngine
import Testing

struct RedactedURLTests {
    @Test(arguments: [
        (
            "https://t.example/{z}/{x}/{y}?key=K", "https://t.example/{z}/{x}/{y}?key={key}",
            ["RHUMB_KEY_T_EXAMPLE": "K"]
        ),
        (
            "pmtiles://https://t.example/a.pmtiles?sig=S", "pmtiles://https://t.example/a.pmtiles?sig={key}",
            ["RHUMB_KEY_T_EXAMPLE": "S"]
        ),
    ])
    func `a key is removed from an address and belongs to its server`(
        words: String, text: String, keys: [String: String]
    ) {
        let typed = RedactedURL(words)
        #expect(typed.text == text && typed.keys == keys)
    }

    @Test(arguments: [
        ("t.example/{z}/{x}/{y}?key=K&a=1", "t.example/{z}/{x}/{y}?key={key}&a=1"),
        ("t.example:8080?token=T", "t.example:8080?token={key}"),
        ("htps://t.example/a?sig=S", "htps://t.example/a?sig={key}"),
        ("me:pw@t.example/a", "{user}:{password}@t.example/a"),
    ])
    func `a key in an address without a scheme is masked and belongs to no server`(
        words: String, text: String
    ) {
        let typed = RedactedURL(words)
        #expect(typed.text == text && typed.keys.isEmpty)
    }

    @Test(arguments: [
        "world", "town.pmtiles", "/maps/a?key=K", "./a?key=K", "where is it?", "me@home", "60.45,22.26",
        "is a?key=K ok",
        "t.example/{z}/{x}/{y}?style=night", "/maps/f3a91c7be2d84056a1b2c3d4e5f60718/{z}", "--over", "",
    ])
    func `other words are unchanged`(words: String) {
        #expect(RedactedURL(words).text == words && RedactedURL(words).keys.isEmpty)
    }
}
