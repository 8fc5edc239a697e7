internal import RhumbCore
internal import RhumbEngine

/// Checks the bodies of tiles. Equal bodies are decoded once. Used from several threads.
final class ContentCheck: Sendable {
    /// The facts about one body.
    struct Finding: Sendable {
        /// The size of the stored body in bytes; nil if it can't be read.
        var bytes: Int?
        var faults: [(kind: VerificationFault.Kind, problem: String)] = []
        var kind: TileKind?
        /// The size of a picture in pixels.
        var size: ArchiveScan.PixelSize?
        /// True for a picture of one colour; only known if pictures are decoded.
        var isBlank = false
        var layers: [String] = []
    }

    private let declared: DeclaredContent
    private let probe: TileProbe?
    private let decode: TileDecode?
    /// The findings of bodies that are no vector tiles.
    private let checked = CheckedBodies<Finding>()
    /// The sizes of vector tiles. At most four million are compared, which takes about 300 MB.
    private let sizes = CheckedBodies<Int>(limit: 4_000_000)

    init(_ declared: DeclaredContent, probe: TileProbe?, decode: TileDecode?) {
        self.declared = declared
        self.probe = probe
        self.decode = decode
    }

    /// True if pictures are decoded, so that damaged ones and those of one colour are known.
    var decodesPictures: Bool { decode != nil }

    /// The number and the total size of distinct bodies; nil if there are too many to compare.
    var distinct: (count: Int, bytes: Int)? {
        (isVector ? sizes.total { $0 } : checked.total { $0.bytes ?? 0 }).map { ($0.count, $0.sum) }
    }

    /// True for an archive of vector tiles. Few of these are equal, and their findings need much memory.
    private var isVector: Bool { declared.kind?.isVector == true }

    /// Checks the body of a run.
    func examine(_ run: StoredTileRun) -> Finding {
        guard case .success(let stored) = run.body, !stored.isEmpty else { return Finding(listed: run) }
        guard !isVector else {
            _ = sizes.finding(stored) { $0.count }
            return finding(stored)
        }
        return checked.finding(stored, finding)
    }

    private func finding(_ stored: [UInt8]) -> Finding {
        var finding = Finding(bytes: stored.count)
        let compression = declared.compression.actual(of: stored)
        if declared.compression != .unknown, declared.compression != compression {
            let isWrapped = compression == .gzip
            let problem = isWrapped ? "it is compressed, but declared as not" : "it is not compressed"
            finding.faults.append((.compression, problem))
        }
        let plain: [UInt8]
        do throws(Gzip.Failure) {
            plain = try compression.unpacked(stored)
        } catch {
            let problem =
                error == .tooLarge
                ? "it unpacks to more than \(Gzip.limit >> 20) MiB"
                : "its \(compression.name) data is damaged"
            finding.faults.append((.compression, problem))
            return finding
        }
        check(plain, &finding)
        return finding
    }

    private func check(_ plain: [UInt8], _ finding: inout Finding) {
        var kind = TileKind(of: plain)
        // Vector tiles have no signature, and may be empty.
        if kind == .unknown, let declared = declared.kind, declared.isVector { kind = declared }
        finding.kind = kind
        let isMixed = declared.mixesPictures && declared.kind?.isPicture == true && kind.isPicture
        if let expected = declared.kind, expected != kind, !isMixed {
            finding.faults.append((.format, "it is \(kind.noun), not \(expected.noun)"))
        } else if kind == .unknown || kind == .text {
            finding.faults.append((.format, "it is \(kind.noun)"))
        } else if kind == .gif || kind == .avif {
            finding.faults.append((.format, "it is \(kind.noun), which Rhumb can't draw"))
        }
        if kind.isVector {
            checkLayers(plain, &finding)
        } else if kind.isPicture {
            finding.size = probe?(plain).map { .init(width: $0.width, height: $0.height) }
            guard let decode else { return }
            if let picture = decode(plain) {
                finding.isBlank = picture.isOneColour
            } else {
                finding.faults.append((.content, "the picture can't be decoded"))
            }
        }
    }

    private func checkLayers(_ plain: [UInt8], _ finding: inout Finding) {
        do throws(VectorTileFailure) {
            let tile = try VectorTile(plain)
            finding.layers = tile.layerNames
            if let parts = tile.skippedParts {
                finding.faults.append((.content, "it has \(parts), which Rhumb skips"))
            }
            if Set(tile.layerNames).count < tile.layerNames.count {
                finding.faults.append((.content, "two layers have one name"))
            }
            for (index, name) in tile.layerNames.enumerated() {
                do throws(VectorTileFailure) {
                    check(try LayerCheck(tile, layer: index), name, &finding)
                } catch {
                    finding.faults.append((.content, "layer \(Self.shown(name)): \(error)"))
                }
            }
        } catch {
            finding.faults.append((.content, "\(error)"))
        }
    }

    private func check(_ layer: LayerCheck, _ name: String, _ finding: inout Finding) {
        func add(_ kind: VerificationFault.Kind, _ count: Int, _ problem: (String) -> String) {
            guard count > 0 else { return }
            let amount = AmountText.count(count, kind == .winding ? "polygon" : "feature")
            finding.faults.append((kind, "layer \(Self.shown(name)): " + problem(amount)))
        }
        for violation in layer.violations { add(.content, 1) { _ in violation } }
        add(.content, layer.faults.total) { _ in "\(layer.faults)" }
        add(.winding, layer.reversedCount) { "\($0) with reversed rings" }
        add(.extent, layer.distantCount) {
            "\($0) more than \(AmountText.count(LayerCheck.reach, "tile")) away"
        }
    }

    private static func shown(_ name: String) -> String { "\"\(SafeText.sanitised(name, limit: 40))\"" }
}

extension ContentCheck.Finding {
    /// Creates the finding about a run from its entry in the list of tiles. Its body may be omitted.
    init(listed run: StoredTileRun) {
        switch run.body {
        case .success:
            bytes = run.bytes
            if run.bytes == 0, !run.ids.isEmpty { faults = [(.empty, "it has no bytes")] }
        case .failure(let failure):
            let kind: VerificationFault.Kind =
                run.fault == .empty ? .empty : run.ids.isEmpty ? .directory : .unreadable
            faults = [(kind, failure.message)]
        }
    }
}

extension Raster {
    /// True if all pixels are equal.
    fileprivate var isOneColour: Bool {
        pixels.withUnsafeBytes { bytes in
            let first = bytes.load(as: UInt32.self)
            return stride(from: 4, to: bytes.count, by: 4).allSatisfy {
                bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) == first
            }
        }
    }
}

extension TileKind {
    /// The kind with its article.
    fileprivate var noun: String {
        switch self {
        case .vector: "a vector tile"
        case .mapLibre: "a MapLibre tile"
        case .avif: "an AVIF image"
        case .png, .jpeg, .webp, .gif: "a \(rawValue) image"
        case .text: "text"
        case .unknown: "of an unknown format"
        }
    }
}
