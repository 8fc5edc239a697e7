internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbOpening
internal import RhumbStore

/// An archive to publish as a package. Every tile has been read.
struct PublishedArchive {
    let info: TileSourceInfo
    private(set) var hashes: TileHashes
    /// The total size of the installed tiles in bytes, without duplicates.
    private(set) var bytes = 0
    /// The bytes of the vector layers of each data group. Layers of several groups are not counted.
    private(set) var featureBytes: [String: Int] = [:]
    /// The number of tiles that clients don't install, because they are outside the declared bounds.
    private(set) var outside = 0
    private var seen: Set<UInt64> = []
    /// The cryptographic hashes of the bodies that were read, by the hash of their stored form.
    private var digests: [UInt64: TileDigest] = [:]

    /// Reads an archive.
    /// - Parameter isSecure: True for a list of cryptographic hashes.
    /// - Throws: `PublishFailure` if the archive or a tile is damaged or unsupported.
    init(_ path: String, version: String, isSecure: Bool) throws(PublishFailure) {
        do {
            let archive = try PMTilesArchive(path, probe: TileProbes.header)
            if let refusal = archive.refusal, refusal.reason != .vectorTiles { throw refusal }
            info = archive.info
            hashes = try archive.hashes(version: version, isSecure: isSecure)
            let isVector = archive.refusal?.reason == .vectorTiles,
                tileValidator = TileValidator(isVector ? .vectorTile : .picture)
            var read = 0, end: UInt64 = 0
            try archive.walk(.bodies()) { run in
                let stored = try run.body.get(), tiles = run.ids
                guard tiles.lowerBound >= end else {
                    throw PublishFailure("\(path): entry \(tiles.lowerBound) is out of order")
                }
                end = tiles.upperBound
                read += stored.count
                WorkProgress.report(read, of: nil)
                let hash = TileHashes.hash(stored)
                if let digest = digests[hash] { hashes.add(tiles, digest) }
                if !isSecure { hashes.add(tiles, hash) }
                guard seen.insert(hash).inserted else { return }
                let name = TileID(hilbertID: tiles.lowerBound)?.description ?? "\(tiles.lowerBound)"
                let body = try run.plain(in: path)
                if isSecure {
                    digests[hash] = TileDigest(ofUnpacked: body)
                    hashes.add(tiles, TileDigest(ofUnpacked: body))
                }
                if let fault = tileValidator.fault(in: body) {
                    throw PublishFailure("\(path): tile \(name): \(fault)")
                }
                try weigh(body, isVector, kept: TileBody.stored(stored, body).count)
            }
            outside = try archive.installedBounds().map { try archive.count(outside: $0) } ?? 0
        } catch let failure as PublishFailure {
            throw failure
        } catch {
            throw PublishFailure("\(path): \(error)")
        }
        guard hashes.tiles > 0 else { throw PublishFailure("\(path) has no tiles") }
    }

    /// - Parameter kept: The size of the tile in the form in which regions store it.
    private mutating func weigh(
        _ body: [UInt8], _ isVector: Bool, kept: Int
    ) throws(VectorTileFailure) {
        bytes += kept
        guard isVector, !body.isEmpty else { return }
        for layer in try VectorTile(body).layerSizes {
            let features = Feature.features(ofVectorLayer: layer.name)
            if features.count == 1, let feature = features.first {
                featureBytes[feature.name, default: 0] += layer.bytes * kept / body.count
            }
        }
    }
}

/// Converts MBTiles, GeoPackages and VersaTiles to PMTiles, which clients can fetch in ranges.
enum ConvertedArchive {
    private static let origin = "converted-from"

    /// - Throws: `PublishFailure`, also if the destination exists and was not converted from this file.
    static func make(of path: String, to destination: String) throws(PublishFailure) {
        let name = path.lastPathName
        if Files.exists(destination), (try? PMTilesArchive(destination))?.metadata[origin]?.string != name {
            throw PublishFailure("\(path) and \(destination) both exist; remove one of them")
        }
        do {
            let archive = try Archive.open(path, probe: TileProbes.header)
            if let refusal = archive.refusal, refusal.reason != .vectorTiles { throw refusal }
            var more = JSONObject()
            more[origin] = .string(name)
            _ = try ArchiveCopy(of: ArchiveInput(path, archive), to: destination, isReplacing: true)
                .convert(adding: more)
        } catch let failure as ArchiveCopyFailure {
            throw PublishFailure("\(failure)")
        } catch {
            throw PublishFailure("\(path): \(error)")
        }
    }
}
