import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

@testable import RhumbHTTP

struct S3UploaderTests {
    private let folder = TemporaryFolder()

    private func uploader(_ store: S3Double, partSize: Int = 100) throws -> S3Uploader {
        var options = ClientOptions(userAgent: .rhumb(version: "test"))
        options.objectStores.endpoint = store.url
        options.objectStores.credentials = S3Configuration.Credentials(accessKey: "AKEY", secretKey: "SKEY")
        return try S3Uploader(options, partSize: partSize, waits: [0, 0])
    }

    private func file(_ count: Int, seed: UInt8 = 1) -> String {
        folder.write(picture(count, seed: seed), to: "map.pmtiles")
    }

    @Test func `a small file is uploaded in one request, and not again while it is unchanged`() throws {
        let store = try S3Double(), uploader = try uploader(store)
        #expect(try uploader.upload(file(50), to: "s3://maps/a/map.pmtiles", type: "x/y"))
        #expect(store.objects["/maps/a/map.pmtiles"]?.body == picture(50, seed: 1))
        #expect(try !uploader.upload(file(50), to: "s3://maps/a/map.pmtiles", type: "x/y"))
        #expect(try uploader.upload(file(50, seed: 2), to: "s3://maps/a/map.pmtiles", type: "x/y"))
        #expect(store.changes == ["PUT /maps/a/map.pmtiles", "PUT /maps/a/map.pmtiles"])
    }

    @Test func `a large file is uploaded in parts that readers don't see before the last`() throws {
        let store = try S3Double { request in
            request.target.contains("partNumber=3") && request.time < 3 ? LoopbackReply(503) : nil
        }
        store.set("/maps/map.pmtiles", [1])
        #expect(try uploader(store).upload(file(250), to: "s3://maps/map.pmtiles", type: "x/y"))
        #expect(store.objects["/maps/map.pmtiles"]?.body == picture(250, seed: 1))
        #expect(store.openUploads == 0 && folder.names == ["map.pmtiles"])
    }

    @Test func `an interrupted upload is resumed with the missing parts`() throws {
        let isDown = Mutex(true)
        let store = try S3Double { request in
            request.target.contains("partNumber=2") && isDown.withLock { $0 } ? LoopbackReply(503) : nil
        }
        let path = file(250), address = "s3://maps/map.pmtiles"
        #expect(throws: S3Uploader.Failure.self) {
            try uploader(store).upload(path, to: address, type: "x/y")
        }
        #expect(store.objects.isEmpty && store.openUploads == 1)
        isDown.withLock { $0 = false }
        #expect(try uploader(store).upload(path, to: address, type: "x/y"))
        #expect(store.objects["/maps/map.pmtiles"]?.body == picture(250, seed: 1))
        #expect(store.changes.count { $0.contains("partNumber=1") } == 1 && store.openUploads == 0)
    }

    @Test func `a refused upload is aborted, and the old object stays`() throws {
        let store = try S3Double { request in
            request.target.contains("partNumber=2")
                ? LoopbackReply(403, Array("<Error><Code>AccessDenied</Code><Key>SKEY</Key></Error>".utf8))
                : nil
        }
        store.set("/maps/map.pmtiles", [1])
        #expect {
            try uploader(store).upload(file(250), to: "s3://maps/map.pmtiles", type: "x/y")
        } throws: { error in
            "\(error)".contains("access denied") && !"\(error)".contains("SKEY")
        }
        #expect(store.objects["/maps/map.pmtiles"]?.body == [1] && store.openUploads == 0)
        #expect(folder.names == ["map.pmtiles"])
    }

    @Test(arguments: [50, 250])
    func `conditions protect an object that somebody else changed`(size: Int) throws {
        let store = try S3Double(), uploader = try uploader(store), path = file(size)
        store.set("/maps/a", [1])
        let old = try #require(try uploader.object(at: "s3://maps/a"))
        #expect(old.body == [1])
        store.set("/maps/a", [2])
        for condition in [S3Uploader.Condition.absent, .unchanged(etag: old.etag ?? "")] {
            #expect {
                try uploader.upload(path, to: "s3://maps/a", type: "x/y", condition)
            } throws: { if case .conflict? = $0 as? S3Uploader.Failure { true } else { false } }
        }
        #expect(store.objects["/maps/a"]?.body == [2] && store.openUploads == 0)
        #expect(try uploader.object(at: "s3://maps/none") == nil)
    }

    @Test func `without credentials nothing is uploaded`() {
        #expect(throws: S3Uploader.Failure.self) {
            try S3Uploader(ClientOptions(userAgent: .rhumb(version: "test")))
        }
    }

    /// The vector of FIPS 180-2.
    @Test func `sums of pieces are those of the whole`() throws {
        let sum = try #require(SHA256Sum())
        for piece in ["a", "", "bc"] { sum.add(Array(piece.utf8)) }
        #expect(sum.finish() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
