import Glibc
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Testing

/// Tests killing the program while a part of a remote archive arrives.
struct RemoteKillTests {
    @Test func `killed after 70 % of a response, the tiles that arrived are stored and not fetched again`()
        async throws
    {
        let box = try CommandFixture(), gate = LoopbackGate()
        let archive = RemoteRegionTests.Container.pmtiles.large(0...3)
        box.folder.write(Array("{}".utf8), to: "config.json")
        let end = archive.count * 7 / 10
        box.host.answer { request in
            LoopbackReply.part(of: archive, request).with { reply in
                let start =
                    request.header("Range")?.dropFirst(6).split(separator: "-").first.flatMap { Int($0) } ?? 0
                if start + reply.body.count > end { reply.ending = .pause(after: max(end - start, 0), gate) }
            }
        }
        let child = box.start([
            "add", "home", "--source", box.host.server.url("/town.pmtiles"), "--bbox", "-180,-85,180,85",
            "--zooms", "0-3", "--exact",
        ])
        #expect(await eventually { (try? box.stored().count) ?? 0 >= 55 })
        child.send(SIGKILL)
        #expect(child.wait() == 128 + SIGKILL)
        gate.open()
        let before = try box.stored(), sent = box.host.server.record.bytes
        box.host.answer { LoopbackReply.part(of: archive, $0) }
        #expect(await box.run("resume", "home").status == 0)
        #expect(
            try box.stored().count == 85
                && TileID.pyramid(0...3).allSatisfy { try box.stored()[$0] == largePicture($0) })
        #expect(box.host.server.record.bytes - sent < archive.count - before.count * 20_000 + 50_000)
        #expect(await box.run("check", "home").status == 0)
    }
}
