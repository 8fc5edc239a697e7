internal import RhumbCore
internal import RhumbEngine

/// The content of a stored body.
enum TileContent {
    case vector(VectorTile)
    /// An image or text.
    case other
    case problem(String)

    /// Decompresses and opens a body.
    init(_ run: StoredTileRun, in file: String) {
        do throws(TileFailure) {
            self.init(try run.plain(in: file), run, in: file)
        } catch {
            self = .problem(error.message)
        }
    }

    /// Opens a decompressed body.
    init(_ plain: [UInt8], _ run: StoredTileRun, in file: String) {
        let kind = TileKind(of: plain)
        guard kind.isVector || kind == .unknown else {
            self = .other
            return
        }
        do throws(VectorTileFailure) {
            self = .vector(try VectorTile(plain))
        } catch {
            self = .problem("\(Self.name(run, in: file)): \(error)")
        }
    }

    /// Returns the name of a tile for messages.
    private static func name(_ run: StoredTileRun, in file: String) -> String {
        "tile \(run.first?.description ?? "") of \(SafeText.sanitised(file))"
    }

    /// Examines the layers of a vector tile.
    /// - Parameter examine: Returns the result for the layer with an index and a name, and its features that
    ///   can't be drawn.
    /// - Returns: The results for the layers that can be decoded, and the problems of the tile in words; nil
    ///   if there are none.
    static func layers<Layer>(
        of tile: VectorTile, _ run: StoredTileRun, in file: String,
        _ examine: (Int, String) throws(VectorTileFailure) -> (Layer, FeatureFaults)
    ) -> (layers: [Layer], problem: String?) {
        var location: String { name(run, in: file) }
        var layers: [Layer] = [], problems = tile.skippedParts.map { ["\(location): \($0) skipped"] } ?? []
        for (index, name) in tile.layerNames.enumerated() {
            do throws(VectorTileFailure) {
                let (layer, faults) = try examine(index, name)
                layers.append(layer)
                if !faults.isEmpty { problems.append("layer \(name) of \(location): \(faults)") }
            } catch {
                problems.append("layer \(name) of \(location): \(error)")
            }
        }
        return (layers, problems.isEmpty ? nil : problems.joined(separator: "; "))
    }
}
