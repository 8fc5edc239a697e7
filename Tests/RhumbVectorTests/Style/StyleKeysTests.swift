import RhumbCore
import Testing

struct StyleKeysTests {
    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
          <key>CFBundleName</key><string>Hikes</string>
          <key>UIMainStoryboardFile</key><string>Main</string>
          <key>OnlineMap.Key</key>
          <string> MAPSECRET </string>
          <key>Nested</key><dict><key>TrafficKey</key><string>TRAFFICSECRET</string></dict>
          <key>BuildKey</key><true/><string>astray</string>
          <key>OtherKey</key><string>$(OTHER)</string>
        </dict></plist>
        """
    private static let manifest = """
        <manifest xmlns:android="http://schemas.android.com/apk/res/android"><application>
          <meta-data android:name="OnlineMaps.Key" android:value="MAPSECRET"/>
          <meta-data android:name="OnlineTraffic.Key" android:value="TRAFFICSECRET"/>
          <meta-data android:name="Other.Key" android:value="@string/other"/>
          <meta-data android:name="Theme" android:value="dark"/>
        </application></manifest>
        """

    @Test(arguments: [plist, manifest])
    func `keys are read from the files of phone apps`(text: String) throws {
        let keys = try StyleKeys(xml: Array(text.utf8))
        #expect(keys.secrets.sorted() == ["MAPSECRET", "TRAFFICSECRET"])
        #expect(keys.key(for: "key", in: "https://x.example/map") == "MAPSECRET")
        #expect(keys.key(for: "key", in: "https://x.example/traffic/flow") == "TRAFFICSECRET")
    }

    @Test(arguments: [("maps_key", "A"), ("Maps.Key", "A"), ("TRAFFIC-KEY", "B"), ("key", "A")])
    func `a key is found by its name, however spelled, or else by its service`(
        token: String, key: String
    ) {
        #expect(
            StyleKeys(["mapsKey": "A", "traffic_key": "B"]).key(for: token, in: "https://x.example") == key)
    }

    @Test func `a single key fits everything, and no keys fit nothing`() {
        #expect(StyleKeys(["whatever": "A"]).key(for: "key", in: "") == "A")
        #expect(StyleKeys([:]).key(for: "key", in: "") == nil)
        #expect(StyleKeys(["routing": "A", "search": "B"]).key(for: "key", in: "") == nil)
    }

    @Test(arguments: [
        ("bplist00\u{1}", StyleKeysFailure.binary), ("<plist><dict/></plist>", .noKeys),
        ("", .unreadable(problem: "the file is truncated", TextLocation(offset: 0, in: []))),
        (
            "<plist>\n<dict></plist>",
            .unreadable(
                problem: "an end tag does not match its element",
                TextLocation(offset: 16, in: Array("<plist>\n<dict></plist>".utf8)))
        ),
    ])
    func `a file without keys is rejected with the reason`(text: String, failure: StyleKeysFailure) {
        #expect(throws: failure) { try StyleKeys(xml: Array(text.utf8)) }
    }

    @Test func `a document type with declarations is rejected`() {
        let bomb = #"<!DOCTYPE plist [<!ENTITY a "b">]><plist><key>Key</key><string>&a;</string></plist>"#
        #expect(throws: StyleKeysFailure.self) { try StyleKeys(xml: Array(bomb.utf8)) }
    }
}
