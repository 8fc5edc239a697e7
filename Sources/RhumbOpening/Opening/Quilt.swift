internal import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbStore
internal import Synchronization

/// Several archives of pictures as one map. Each place shows the finest archive whose zooms fit, and coarser
/// ones where it has no data.
final class Quilt: TileLayerDataSource {
    /// An archive of the map.
    private struct Patch: Sendable {
        let archive: any TileArchive
        /// The number of zooms by which its tiles are larger than those of the map.
        let excess: Int
        /// The zooms of the map that it has pictures for.
        let zooms: ClosedRange<Int>

        init(_ archive: any TileArchive) {
            self.archive = archive
            let info = archive.info
            excess = max(-info.tileSize.zoomOffset, 0)
            zooms = info.zooms.lowerBound + excess...info.zooms.upperBound + excess
        }
    }

    private struct PictureID: Hashable, Sendable {
        let patch: Int
        let tile: TileID
    }

    private static let side = 256
    /// The maximum number of zooms by which pictures are enlarged.
    private static let enlargement = 8
    /// The maximum number of tiles whose archives are remembered.
    private static let nameLimit = 4096

    /// The archives, the finest first.
    private let patches: [Patch]
    private let pictures = RecentItems<PictureID, Raster>(limit: 32_000_000)
    private let names = Mutex<[TileID: [String]]>([:])
    let info: TileSourceInfo

    /// - Parameter archives: At least one archive of pictures. Of equally fine ones, the first is on top.
    init(_ archives: [any TileArchive]) {
        patches = archives.map { Patch($0) }.enumerated().sorted { one, other in
            let a = one.element.zooms, b = other.element.zooms
            return (b.upperBound, b.lowerBound, one.offset) < (a.upperBound, a.lowerBound, other.offset)
        }.map(\.element)
        let infos = patches.map(\.archive.info)
        let least = patches.map(\.zooms.lowerBound).min() ?? 0
        let title = infos.prefix(3).map(\.name).joined(separator: ", ")
        var credits: [String] = []
        for credit in infos.map(\.attribution) where !credit.isEmpty && !credits.contains(credit) {
            credits.append(credit)
        }
        info = TileSourceInfo(
            name: infos.count > 3 ? "\(title) and \(infos.count - 3) more" : title,
            attribution: credits.joined(separator: ", "),
            zooms: least...(patches.map(\.zooms.upperBound).max() ?? least),
            bounds: Quilt.bounds(infos.map(\.bounds)))
    }

    /// Returns the box around all boxes; nil if one is unknown or crosses the antimeridian.
    private static func bounds(_ all: [Bounds?]) -> Bounds? {
        let known = all.compactMap(\.self)
        guard known.count == all.count, let first = known.first,
            !known.contains(where: \.crossesAntimeridian)
        else { return nil }
        return known.reduce(first) { sum, box in
            Bounds(
                west: min(sum.west, box.west), south: min(sum.south, box.south),
                east: max(sum.east, box.east), north: max(sum.north, box.north)) ?? sum
        }
    }

    func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns the names of the archives that a drawn tile shows, the topmost first; empty if it isn't drawn.
    func archives(in tile: TileID) -> [String] { names.withLock { $0[tile] ?? [] } }

    /// Draws a tile from the pictures of its own zoom and then from enlarged ones, until no gap is left.
    func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        let near = patches.indices.filter { at in
            tile.zoom >= patches[at].zooms.lowerBound
                && patches[at].archive.info.bounds?.intersects(tile) != false
        }
        var drawn: Raster?, shown: [String] = [], failure: TileFailure?
        for zoom in stride(from: tile.zoom, through: max(tile.zoom - Quilt.enlargement, 0), by: -1) {
            for at in near where patches[at].zooms.contains(zoom) && drawn?.isOpaque != true {
                do throws(TileFailure) {
                    guard let part = try picture(of: tile, at: zoom, patch: at), !part.isClear else {
                        continue
                    }
                    drawn = drawn.map { $0.over(part) } ?? part
                    let name = patches[at].archive.info.name
                    if !shown.contains(name) { shown.append(name) }
                } catch {
                    failure = failure ?? error
                }
            }
        }
        names.withLock { names in
            if names.count >= Quilt.nameLimit { names = [:] }
            names[tile] = shown
        }
        if let drawn { return .bitmap(.raster(drawn)) }
        if let failure { throw failure }
        return .absent
    }

    /// Returns the part of an archive's picture that a tile shows; nil if the archive has no such picture.
    /// - Parameter zoom: The zoom of the picture, as a zoom of the map.
    private func picture(of tile: TileID, at zoom: Int, patch at: Int) throws(TileFailure) -> Raster? {
        let patch = patches[at], levels = tile.zoom - zoom + patch.excess
        guard let ancestor = tile.ancestor(levels: levels) else { return nil }
        let id = PictureID(patch: at, tile: ancestor), raster: Raster
        if let cached = pictures[id] {
            raster = cached
        } else {
            raster = try read(ancestor, of: patch) ?? .clear
            pictures.add(raster, id, bytes: raster.byteCount)
        }
        return raster.isClear ? nil : raster.part(tile, levels: levels, side: Quilt.side)
    }

    private func read(_ tile: TileID, of patch: Patch) throws(TileFailure) -> Raster? {
        switch try patch.archive.tile(tile) {
        case .bitmap(.raster(let raster))?: return raster
        case .bitmap(.encoded(let bytes))?:
            return try converting(SniffingDecoder().decode(bytes, limits: .tile)) { (error: ImageFailure) in
                TileFailure(.badContent, "\(patch.archive.info.name): \(tile): \(error)")
            }
        default: return nil
        }
    }
}

extension Raster {
    /// Returns the part of a tile's picture that a descendant covers, enlarged or reduced to a size.
    /// - Parameter levels: The number of zooms between both tiles.
    fileprivate func part(_ tile: TileID, levels: Int, side: Int) -> Raster? {
        if levels == 0, width == side, height == side { return self }
        let mask = (1 << levels) - 1, from = pixels
        let columns = (0..<side).map { ((tile.x & mask) * side + $0) * width / (side << levels) }
        let all = [UInt8](unsafeUninitializedCapacity: side * side * 4) { buffer, filled in
            for y in 0..<side {
                let row = ((tile.y & mask) * side + y) * height / (side << levels) * width
                for x in 0..<side {
                    for channel in 0..<4 {
                        buffer[(y * side + x) * 4 + channel] = from[(row + columns[x]) * 4 + channel]
                    }
                }
            }
            filled = side * side * 4
        }
        return Raster(width: side, height: side, pixels: all)
    }

    /// Returns the picture over another of the same size.
    fileprivate func over(_ other: Raster) -> Raster {
        var all = pixels
        let below = other.pixels
        for at in stride(from: 0, to: all.count, by: 4) where all[at + 3] < 255 {
            let own = Int(all[at + 3]) * 255, rest = (255 - Int(all[at + 3])) * Int(below[at + 3])
            let sum = own + rest
            guard sum > 0 else { continue }
            for channel in at..<at + 3 {
                all[channel] = UInt8((Int(all[channel]) * own + Int(below[channel]) * rest + sum / 2) / sum)
            }
            all[at + 3] = UInt8((sum + 127) / 255)
        }
        return Raster(width: width, height: height, pixels: all) ?? self
    }
}

/// The specifier that opens several archives as one map: "quilt:", and paths separated by colons.
public enum QuiltSpecifier {
    private static let prefix = "quilt:"

    /// Returns the specifier of some paths.
    public static func text(_ paths: [String]) -> String {
        prefix
            + paths.map { path in
                path.map { $0 == ":" ? "%3A" : $0 == "%" ? "%25" : String($0) }.joined()
            }.joined(separator: ":")
    }

    /// Returns the paths; nil for other specifiers.
    public static func paths(_ specifier: String) -> [String]? {
        guard specifier.hasPrefix(prefix) else { return nil }
        return specifier.dropFirst(prefix.count).split(separator: ":").map { path in
            path.split(separator: "%3A", omittingEmptySubsequences: false).map { part in
                part.split(separator: "%25", omittingEmptySubsequences: false).joined(separator: "%")
            }.joined(separator: ":")
        }
    }
}

extension MapOpener {
    /// Opens archives of pictures as one map. A folder that isn't an archive stands for all archives in it;
    /// unreadable ones are reported.
    func quilt(_ paths: [String], specifier: String) throws(MapOpenFailure) -> TileLayer {
        var archives: [any TileArchive] = []
        for path in paths {
            let files = Self.archives(in: path)
            for file in files ?? [path] {
                do throws(ArchiveFailure) {
                    archives.append(try Self.pictures(file))
                } catch {
                    guard files != nil else { throw .archive(error) }
                    onRemark?(file, [error.problem])
                }
            }
        }
        guard !archives.isEmpty else {
            let folder = paths.first ?? ""
            throw .archive(
                ArchiveFailure(
                    folder, .notRecognised, "it has no archive of pictures",
                    "name archives of PNG, JPEG or WebP tiles, GeoTIFFs, or a folder of them"))
        }
        let quilt = Quilt(archives)
        var layer = TileLayer(id: "file:\(specifier)", source: quilt, info: quilt.info)
        layer.isTransparent = true
        layer.openedBy = specifier
        return layer
    }

    /// Returns the archives in a folder, sorted; nil for a file, and for a folder of tiles.
    private static func archives(in path: String) -> [String]? {
        guard Files.isFolder(path), let names = FolderNames.list(path) else { return nil }
        let found = names.filter { ArchiveContainer(path: $0) != nil }
        return found.isEmpty ? nil : found.sorted().map { "\(path)/\($0)" }
    }

    private static func pictures(_ path: String) throws(ArchiveFailure) -> any TileArchive {
        guard !SourceDefinition.isAddress(path) else {
            throw ArchiveFailure(
                path, .unsupported, "only archives on this computer can be quilted",
                "download the file, or lay it over another map")
        }
        let archive = try TileProbes.open(path, isTMS: false)
        if let refusal = archive.refusal { throw refusal }
        if let image = archive as? GeoTIFFArchive, image.image.meaning == .heights {
            throw ArchiveFailure(path, .unsupported, "it has heights, not pictures", "lay it over the map")
        }
        return archive
    }
}
