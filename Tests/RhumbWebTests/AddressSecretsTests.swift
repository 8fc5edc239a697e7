import RhumbCore
import Testing

struct AddressSecretsTests {
    @Test(arguments: [
        ("https://h/{z}/{x}/{y}?key=MARK", "https://h/{z}/{x}/{y}?key={key}", ["key": "MARK"]),
        ("https://h/{z}?a=1&apiKey=M&b=2", "https://h/{z}?a=1&apiKey={key}&b=2", ["key": "M"]),
        (
            "https://h/a?access-token=a%2Bb&X-Amz-Signature=S",
            "https://h/a?access-token={key}&X-Amz-Signature={x-amz-signature}",
            ["key": "a+b", "x-amz-signature": "S"]
        ),
        ("https://me:p%40w@h:8/a", "https://{user}:{password}@h:8/a", ["user": "me", "password": "p@w"]),
        ("https://h/?key={key}&token=T", "https://h/?key={key}&token={token}", ["token": "T"]),
        ("https://h/?key=1&key=2", "https://h/?key={key}&key={key-2}", ["key": "1", "key-2": "2"]),
    ])
    func `secrets are replaced by tokens`(text: String, address: String, values: [String: String]) {
        let taken = AddressSecrets(text)
        #expect(taken.address == address && taken.values == values)
        #expect(Set(AddressSecrets.tokens(in: address)).isSuperset(of: values.keys))
    }

    @Test(arguments: ["pass", "ticket", "code", "hash", "license", "connectId", "user-token", "hmac"])
    func `items with such names are secrets`(name: String) {
        #expect(AddressSecrets("https://h/{z}/{x}/{y}?\(name)=MARK").values.values.contains("MARK"))
    }

    @Test(arguments: ["quadkey", "version", "style", "compass", "hashtag", "country"])
    func `items with other names are not`(name: String) {
        #expect(AddressSecrets("https://h/{z}/{x}/{y}?\(name)=MARK").values.isEmpty)
        #expect(AddressSecrets.tokens(in: "https://h/{\(name)}.png").isEmpty)
    }

    @Test(arguments: [
        "https://h/{z}/{x}/{y}?v=f3a91c7be2d84056a1b2c3d4e5f60718",
        "https://h/f3a91c7be2d84056a1b2c3d4e5f60718/{z}/{x}/{y}",
    ])
    func `a text that looks random is a secret and distinct from others`(text: String) {
        let taken = AddressSecrets(text), other = AddressSecrets(text.replacing("f3a9", with: "f3b9"))
        #expect(
            !taken.address.contains("f3a91c7b")
                && taken.values.values.contains("f3a91c7be2d84056a1b2c3d4e5f60718"))
        #expect(taken.address != other.address && taken == AddressSecrets(text))
    }

    @Test(arguments: [
        "https://h/{z}/{x}/{y}.png?api-version=2.1&tileSize=512",
        "https://h/layers/MODIS_Terra_CorrectedReflectance_TrueColor/{z}",
        "https://h/maps/7e5b02a9-3f6c-4a55-9d0e-6f1c2b3a4d5e/{z}/{x}/{y}",
        "https://h/?time=2020-01-01T00:00:00Z&bbox={bbox-epsg-3857}",
        "https://h/?key={key}", "https://h/?key=", "/tmp/a?key=x", "osm",
        "https://h/?keyword=town&style=night",
    ])
    func `other words are unchanged`(text: String) {
        let taken = AddressSecrets(text)
        #expect(taken.address == text && taken.values.isEmpty)
    }

    @Test(arguments: [
        ("key", true), ("X-Amz-Security-Token", true), ("subscription-key", true), ("accessToken", true),
        ("ak", true), ("tk", true),
        ("client_secret", true), ("SIG", true), ("api", true), ("mapkey", true), ("app_id", true),
        ("Key-Pair-Id", true),
        ("style", false), ("apiVersion", false), ("api-version", false), ("t", false), ("task", false),
        ("signal", false), ("lyrs", false),
    ])
    func `a name determines whether its value is a secret`(name: String, isSecret: Bool) {
        #expect(SecretNames.isSecret(name) == isSecret)
    }

    @Test(arguments: [
        ("a MARKERMARKER b", "MARKERMARKER", "a … b"), ("xMARKERMARKERy", "MARKERMARKER", "x…y"),
        ("?k=ab&c=abc ab", "ab", "?k=…&c=abc …"),
        (#"{"tiles":12,"u":"?k=12&n=123"}"#, "12", #"{"tiles":12,"u":"?k=…&n=123"}"#), ("text", "", "text"),
    ])
    func `a secret is masked, however short, and nothing else`(text: String, secret: String, masked: String) {
        #expect(Masking.masked(text, secret, with: "…") == masked)
    }
}
