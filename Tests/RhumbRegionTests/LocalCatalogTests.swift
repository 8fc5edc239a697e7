import Glibc
import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOffline
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests catalogues in files whose packages are archives in files.
struct LocalCatalogTests {
    private let box: PackageFixture
    private let folder = TemporaryFolder()

    init() throws { box = try PackageFixture() }

    private var path: String { folder.path + "/catalog.json" }

    /// Publishes two packages. A few tiles of one contain the edition's number.
    private func publish(_ edition: Int) throws {
        func archive(_ name: String, _ edition: (Int) -> Int) {
            let tiles = TileID.pyramid(0...3).enumerated().map { ($1, PackageFixture.body($1, edition($0))) }
            folder.write(PMTilesFixture(tiles).bytes, to: name)
        }
        archive("north.pmtiles") { $0 == 7 ? edition : 1 }
        archive("south.pmtiles") { _ in 1 }
        var publisher = CatalogPublisher(folder.path)
        publisher.id = "test"
        publisher.edition = PackageVersion("\(edition)")
        _ = try publisher.publish()
    }

    private var north: String {
        get throws { try box.box.store.regions().map(\.id).first { $0.contains("north") } ?? "" }
    }

    private func shown(_ edition: Int) throws -> Int {
        try box.shown(String(north.dropFirst("package-test.".count)), edition)
    }

    @Test func `a package of a local archive is installed, and shown without the file`() async throws {
        try publish(1)
        let loader = box.loader(of: path), ids = try await loader.tree().map(\.id).filter { $0 != "world" }
        #expect(ids.count == 2)
        #expect(try await loader.install(ids).finish() == .success(ids))
        let archives = folder.names.filter { $0.hasSuffix(".pmtiles") }
        for name in archives { folder.remove(name) }
        #expect(try shown(1) == 85)
        #expect(try await loader.package(ids[0]).status == .explicit)
        #expect(try await loader.repair().finish() == .success([]))
        #expect(try await loader.uninstall(ids).finish() == .success(ids))
        #expect(try box.box.store.regions().isEmpty)
        #expect(box.box.host.server.requestCount == 0)
    }

    @Test func `an update takes changed tiles from the file, and nothing without it`() async throws {
        try publish(1)
        let loader = box.loader(of: "file://" + path),
            ids = try await loader.tree().map(\.id).filter { $0 != "world" }
        _ = try await loader.install(ids).finish()
        try publish(2)
        box.box.pass(3600)
        let plan = try await loader.planUpdate()
        #expect(plan.packages.map(\.tiles) == [1] && plan.packages[0].reason.isEmpty)
        let away = folder.path + "/away", archive = folder.path + "/north.pmtiles"
        #expect(rename(archive, away) == 0)
        #expect(try await loader.updateAll().reason != nil)
        #expect(try shown(1) == 85)
        #expect(rename(away, archive) == 0)
        #expect(try await loader.updateAll() == .success(ids.filter { $0.contains("north") }))
        #expect(try shown(2) == 1 && shown(1) == 84)
        #expect(try await loader.checkForUpdate().isUpToDate)
    }

    @Test(arguments: ["archive", "part-of"]) func `a catalogue on the web can't refer to files`(
        kind: String
    ) async throws {
        folder.write(
            PMTilesFixture(TileID.pyramid(0...1).map { ($0, PackageFixture.body($0)) }).bytes,
            to: "own.pmtiles")
        for address in ["file://\(folder.path)/own.pmtiles", "file:\(folder.path)/own.pmtiles"] {
            box.catalog(#"{"id": "a", "parent": "world", "area": [0, 0, 9, 9], "\#(kind)": "\#(address)"}"#)
            box.box.pass(3600)
            let failure = await #expect(throws: MapLoaderFailure.self) { try await box.loader().tree() }
            #expect("\(try #require(failure))".contains("not a web URL"))
        }
        // A path refers to its own server.
        box.catalog(
            #"{"id": "a", "parent": "world", "area": [0, 0, 9, 9], "\#(kind)": "\#(folder.path)/own.pmtiles"}"#
        )
        box.box.pass(3600)
        #expect(try await box.loader().installAll("a").reason != nil)
        #expect(try box.box.store.regions().allSatisfy { $0.bytes == 0 })
    }

    @Test func `a file's references to other archives are rejected unless they are local files`()
        async throws
    {
        for address in ["file://server/x.pmtiles", "//server/x.pmtiles", "ftp://server/x.pmtiles"] {
            let text =
                #"{"rhumb-catalog": 1, "id": "test", "packages": [{"id": "world", "archive": "\#(address)"}]}"#
            folder.write(Array(text.utf8), to: "catalog.json")
            let failure = await #expect(throws: MapLoaderFailure.self) {
                try await box.loader(of: path).tree()
            }
            #expect("\(try #require(failure))".contains("not a web URL"), "\(address)")
        }
    }

    @Test func `in the shell a package of files is installed, checked, exported, shown and uninstalled`()
        async throws
    {
        folder.write(
            PMTilesFixture(TileID.pyramid(0...3).map { ($0, blankPicture(RGB(0x336699), side: 256)) }).bytes,
            to: "south.pmtiles")
        var publisher = CatalogPublisher(folder.path)
        publisher.id = "test"
        _ = try publisher.publish()
        let shell = try CommandFixture()
        func run(_ words: String...) async -> ProgramRun {
            await ProgramRun.of(CommandFixture.program, words + shell.places, environment: shell.environment)
        }
        shell.folder.write(Array("{}".utf8), to: "config.json")
        let installed = await run("package", "install", "south", "--catalog", path)
        #expect(installed.status == 0, "\(installed.errors)")
        for name in folder.names where name.hasSuffix(".pmtiles") { folder.remove(name) }
        #expect(await run("region", "check", "package-test.south").status == 0)
        let exported = await run("region", "export", "package-test.south", "-o", folder.path + "/out.pmtiles")
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(try PMTilesArchive(folder.path + "/out.pmtiles").info.zooms == 0...3)
        let address = URLReference.file(folder.path + "/south.pmtiles")
        let picture = await run("render", address, "--size", "20x5", "--format", "text", "-z", "2")
        #expect(picture.status == 0, "\(picture.errors)")
        #expect(await run("package", "uninstall", "south", "--catalog", path).status == 0)
    }
}
