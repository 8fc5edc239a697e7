import RhumbCore
import Testing

struct AddressTests {
    // The examples of RFC 3986, section 5.4
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
        ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
        ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g.", "http://a/b/c/g."),
        ("./g/.", "http://a/b/c/g/"), ("g;x=1/../y", "http://a/b/c/y"), ("https://h:8/x", "https://h:8/x"),
        ("a b\n", "http://a/b/c/a%20b%0A"),
    ])
    func `a reference is resolved according to the standard`(reference: String, address: String) {
        let base = URLReference("http://a/b/c/d;p?q")
        #expect(base.resolving(URLReference(reference)).description == address)
    }

    @Test(arguments: [
        ("http://H.example:80/x", "http://h.example"), ("https://h:443", "https://h"),
        ("https://u:p@h:8443/", "https://h:8443"), ("http://[::1]:80/", "http://[::1]"),
        ("https://H.:0443/", "https://h"), ("https://h:/", "https://h"),
        ("https://h:08443", "https://h:8443"),
    ])
    func `an origin has no default port, no user and no capitals`(url: String, origin: String) {
        #expect(URLReference(url).origin == origin)
    }

    @Test(arguments: [
        ("http://[::1]:8080/x", "[::1]"), ("http://user:pa@Host:1/x", "host"), ("http://h", "h"),
        ("https://Tile.Example./x", "tile.example"), ("https://tile%2Eexample/x", "tile.example"),
        ("https://карты.example/x", "карты.example"),
    ])
    func `the host is found`(url: String, host: String) { #expect(HTTPAddress(url).host == host) }

    @Test(arguments: [
        "https://a@b@h/", "https://tile。example/", "https://ｔile.example/", "https://tile.exam\u{AD}ple/",
        "https://a\\b/",
        "https://a%2Fb/", "https://a%40b/",
    ])
    func `a host that resembles another is rejected`(url: String) { #expect(!URLReference(url).isWeb) }

    @Test(arguments: [
        ("http://127.0.0.1:8080/", true), ("http://127.8.9.1/", true), ("https://LOCALHOST./", true),
        ("http://[::1]/", true),
        ("http://127.0.0.1.evil.example/", false), ("http://localhost.evil.example/", false),
        ("http://10.0.0.1/", false),
        ("http://127.0.0/", false),
    ])
    func `this machine is distinguished from others`(url: String, isLoopback: Bool) {
        #expect(URLReference(url).isLoopback == isLoopback)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://h/", "/x", "http://", "h/x", "javascript:1", ""])
    func `addresses outside the web are recognised`(url: String) { #expect(!URLReference(url).isWeb) }

    @Test(arguments: [
        "https://h/1?key=MARKER&x=1", "https://h/1?x=1&apiKey=MARKER", "https://h/1?ACCESS_TOKEN=MARKER",
        "https://user:MARKER@h/1",
    ])
    func `a secret recognised by its name is not shown`(url: String) {
        let address = HTTPAddress(url)
        #expect(address.url.contains("MARKER"))
        #expect(!address.description.contains("MARKER"), "\(address)")
        #expect(!address.cleaned("failed at \(url)").contains("MARKER"))
    }

    @Test func `a secret in the path is not shown`() {
        let address = HTTPAddress("https://h/MARKER/1.png", secrets: ["MARKER"])
        #expect(address.description == "https://h/…/1.png")
    }

    @Test(arguments: [
        ("https://a/x?key=SECRET", "/y?key=SECRET", "https://a/y?key=SECRET"),
        ("https://a/x?key=SECRET", "https://b/y?key=SECRET&z=1", "https://b/y?z=1"),
        ("https://a/x?key=SECRET", "https://b/y?other=SECRET", "https://b/y"),
        ("https://a/x?key=SECRET", "https://a:8443/y?key=SECRET", "https://a:8443/y"),
        ("http://a/x", "https://a/x", "https://a/x"), ("http://a/x", "http://u:p@b/x#f", "http://b/x"),
        ("https://a/x?key=12", "https://b/y?other=12&z=123", "https://b/y?z=123"),
        (
            "https://a/x?key=SECRET", "https://b/y?X-Amz-Signature=theirs",
            "https://b/y?X-Amz-Signature=theirs"
        ),
    ])
    func `a redirect to another server removes secrets`(from: String, to: String, ends: String) throws {
        #expect(try HTTPAddress(from).redirected(to: to).url == ends)
    }

    @Test(
        arguments: [
            ("https://a/x", "http://a/x", .redirects), ("https://a/x", "http://b/x", .redirects),
            ("https://a/x", "file:///etc/passwd", .badAddress), ("http://a/x", "ftp://b/", .badAddress),
            ("https://a/x?key=SECRET", "https://b/SECRET/x", .redirects),
            ("http://a/x", "http:///x", .badAddress),
        ] as [(String, String, TransportFault)])
    func `an unsafe redirect is not followed`(from: String, to: String, fault: TransportFault) {
        #expect(throws: fault) { try HTTPAddress(from).redirected(to: to) }
    }
}
