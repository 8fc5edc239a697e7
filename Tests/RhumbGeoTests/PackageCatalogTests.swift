import RhumbCore
import RhumbTestSupport
import Testing

/// Tests catalogues of packages as documents.
struct PackageCatalogTests {
    private static let address = "https://maps.example/data/catalog.json"

    private func catalog(_ packages: String, _ others: String = "") throws -> PackageCatalog {
        try PackageCatalog(
            Array(#"{"rhumb-catalog": 1, "id": "osm", \#(others) "packages": [\#(packages)]}"#.utf8),
            at: Self.address)
    }

    private static let finland = """
        {"id": "world"}, {"id": "europe", "parent": "world"},
        {"id": "finland", "parent": "europe", "title": {"en": "Finland", "fi": "Suomi"}, "area": [20, 59, 32, 71],
         "archive": "finland.pmtiles", "editions": [{"version": "1", "bytes": 50},
         {"version": "2026.47", "date": "2026-11-22", "bytes": 100, "features": {"ev": 30}, "hashes": "/h/finland"}]}
        """

    @Test func `a package is read with all its members`() throws {
        let tree = try PackageTree(catalog(Self.finland).packages), package = try #require(tree["finland"])
        #expect(tree.root.id == "world" && tree.root.level == .world && tree["europe"]?.level == .continent)
        #expect(
            package.level == .country && package.englishTitle == "Finland" && package.title("fi") == "Suomi")
        #expect(package.title("sv") == "Finland" && tree.root.title("sv") == "world")
        #expect(package.content == .archive("https://maps.example/data/finland.pmtiles"))
        let edition = try #require(package.edition)
        #expect(
            edition.version.description == "2026.47" && edition.hashes == "https://maps.example/h/finland")
        #expect(edition.bytes(with: []) == 70 && edition.bytes(with: ["ev"]) == 100)
        #expect(tree.ancestors(of: package).map(\.id) == ["world", "europe"])
        #expect(tree.contents(of: tree.root).map(\.id) == ["finland"])
    }

    @Test func `packages with an area inherit the catalogue's members`() throws {
        let read = try catalog(
            #"{"id": "w"}, {"id": "a", "parent": "w", "area": [1, 2, 3, 4]}, {"id": "b", "parent": "w", "area": [1, 2, 3, 4], "source": "own"}"#,
            #""part-of": "planet.pmtiles", "zooms": [2, 9],"#)
        #expect(
            read.packages.map(\.content) == [
                nil, .part(ofArchive: "https://maps.example/data/planet.pmtiles"), .source("own"),
            ])
        #expect(read.packages[1].zooms?.zooms == 2...9)
    }

    @Test(arguments: [
        ("", "has no package"), (#"{"id": "a"}, {"id": "a"}"#, "two packages a"),
        (#"{"id": "a"}, {"id": "b"}"#, "a, b have no parent"),
        (#"{"id": "a", "parent": "a"}"#, "the parent of package a, a,"),
        (#"{"id": "a", "parent": "b"}, {"id": "b", "parent": "a"}"#, "the parent of package a, b,"),
        (#"{"id": "a"}, {"id": "b", "parent": "x"}"#, "the parent of package b, x,"),
        (#"{"id": "a/b"}"#, "\"id\""), (#"{"id": 4}"#, "\"id\""),
        (#"{"id": "a23456789-123456789-123456789-123456"}"#, "more than 35"),
        (#"{"id": "a", "level": "village"}"#, "world, continent"), (#"{"id": "a", "title": 5}"#, "\"title\""),
        (#"{"id": "a", "title": {"en": []}}"#, "\"title\""), (#"{"id": "a", "zooms": [9, 3]}"#, "\"zooms\""),
        (#"{"id": "a", "archive": "file:///etc/passwd"}"#, "not a web URL"),
        (#"{"id": "a", "archive": "ftp://x/y"}"#, "not a web URL"),
        (#"{"id": "a", "archive": "x", "source": "y", "area": [1, 2, 3, 4]}"#, "can't be combined"),
        (#"{"id": "a", "part-of": "x"}"#, "\"area\""), (#"{"id": "a", "area": [1, 2, 3]}"#, "box"),
        (
            #"{"id": "a", "area": {"type": "Polygon", "coordinates": [[[1, 2], [3, 4], [3, 2], [1, 3]]]}}"#,
            "does not close"
        ),
        (
            #"{"id": "a", "area": {"type": "Polygon", "coordinates": [[[1, 2], [1, 2], [1, 2]]]}}"#,
            "does not close"
        ),
        (
            #"{"id": "a", "area": {"type": "Polygon", "coordinates": [[[1, 2], [3, 4], [3, 99], [1, 2]]]}}"#,
            "out of range"
        ),
        (#"{"id": "a", "area": {"type": "Point", "coordinates": [1, 2]}}"#, "MultiPolygon"),
        (
            #"{"id": "a", "editions": [{"version": "2", "bytes": 1}, {"version": "1", "bytes": 1}]}"#,
            "out of order"
        ),
        (
            #"{"id": "a", "editions": [{"version": "1", "bytes": 1}, {"version": "1.0", "bytes": 1}]}"#,
            "out of order"
        ),
        (
            #"{"id": "a", "editions": [{"version": "1", "date": "2026-02-01", "bytes": 1}, {"version": "2", "date": "2026-01-01", "bytes": 1}]}"#,
            "out of order"
        ),
        (#"{"id": "a", "editions": [{"version": "new", "bytes": 1}]}"#, "numbers"),
        (#"{"id": "a", "editions": [{"version": "1", "bytes": -1}]}"#, "\"bytes\""),
        (#"{"id": "a", "editions": [{"version": "1", "bytes": 1e300}]}"#, "\"bytes\""),
        (#"{"id": "a", "editions": [{"version": "1", "bytes": 35184372088833}]}"#, "\"bytes\""),
        (
            #"{"id": "a", "editions": [{"version": "1", "bytes": 5, "features": {"ev": 3, "tunnels": 3}}]}"#,
            "larger than the whole"
        ),
        (
            #"{"id": "a", "editions": [{"version": "1", "bytes": 5, "features": {"ev": 6}}]}"#,
            "larger than the whole"
        ),
        (#"{"id": "a", "editions": [{"version": "1", "bytes": 5, "date": "yesterday"}]}"#, "\"date\""),
    ])
    func `an invalid catalogue is rejected with the position`(packages: String, words: String) {
        let failure = #expect(throws: PackageCatalogFailure.self) { try catalog(packages) }
        #expect("\(failure.map(String.init(describing:)) ?? "")".contains(words))
    }

    @Test func `a catalogue truncated anywhere is rejected`() throws {
        let whole = Array(#"{"rhumb-catalog": 1, "id": "osm", "packages": [\#(Self.finland)]}"#.utf8)
        for count in 0..<whole.count {
            #expect(throws: PackageCatalogFailure.self) {
                try PackageCatalog(Array(whole[..<count]), at: Self.address)
            }
        }
    }

    @Test(arguments: [
        ("[]", PackageCatalogFailure.other), ("{}", .other), (#"{"rhumb-catalog": 2}"#, .version(2)),
    ])
    func `other documents are distinguished`(text: String, failure: PackageCatalogFailure) {
        #expect(throws: failure) { try PackageCatalog(Array(text.utf8), at: Self.address) }
    }

    @Test func `a catalogue with too many packages is rejected`() {
        let items = Array(repeating: #"{"id":"a"}"#, count: PackageCatalog.packageLimit + 1).joined(
            separator: ",")
        let failure = #expect(throws: PackageCatalogFailure.self) { try catalog(items) }
        #expect(failure == .tooMany(PackageCatalog.packageLimit + 1, limit: PackageCatalog.packageLimit))
    }

    @Test(arguments: [("1", "1"), ("2026.47", "2026.47"), ("1.2.0.0", "1.2"), ("0", "0")])
    func `versions are numbers separated by dots`(text: String, shown: String) {
        #expect(PackageVersion(text)?.description == shown)
    }

    @Test(arguments: ["", ".", "1.", "1..2", "a", "1.2.3.4.5", "-1", "4294967295", "١"])
    func `other texts are not versions`(text: String) { #expect(PackageVersion(text) == nil) }

    @Test func `versions are compared number by number`() throws {
        let versions = try ["1", "1.0.1", "1.2", "1.10", "2"].map { try #require(PackageVersion($0)) }
        #expect(versions.sorted() == versions && PackageVersion("1.0") == PackageVersion("1"))
    }
}
