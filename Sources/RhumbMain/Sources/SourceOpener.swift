internal import Rhumb
internal import RhumbBrowser

/// Opens sources by the words of the command line.
struct SourceOpener: Sendable {
    /// Rows of folders count from the south.
    var isTMS = false
    /// The detail layers are opened with, if the person chose one.
    var detail: Int?

    /// The layer that shows a source.
    /// - Throws: a sentence with what was wrong and what to do.
    func open(_ words: String, _ theme: Settings.Theme) throws(Notice.Problem) -> TileLayer {
        guard !words.hasPrefix("http://"), !words.hasPrefix("https://") else {
            throw Notice.Problem(
                "\(words): maps are not read from the web yet; name a file, a folder or \(EmbeddedWorld.name)")
        }
        do throws(ArchiveFailure) {
            var layer = words == EmbeddedWorld.name
                ? try EmbeddedWorld.layer(theme) : try archive(words)
            if let detail { layer.detail = Double(detail) }
            return layer
        } catch {
            throw Notice.Problem("\(error)")
        }
    }

    /// The same as a result, for those who pass it on.
    func opened(_ words: String, _ theme: Settings.Theme) -> Result<TileLayer, Notice.Problem> {
        Result { () throws(Notice.Problem) in try open(words, theme) }
    }

    /// The layers with those that come by day and by night changed for a theme.
    func themed(_ layers: [TileLayer], _ theme: Settings.Theme) -> [TileLayer] {
        layers.map { old in
            guard EmbeddedWorld.isWorld(old), var new = try? EmbeddedWorld.layer(theme) else { return old }
            new.isVisible = old.isVisible
            new.opacity = old.opacity
            new.detail = old.detail
            new.adjustment = old.adjustment
            return new
        }
    }

    private func archive(_ path: String) throws(ArchiveFailure) -> TileLayer {
        let archive = try TileProbes.open(path, isTMS: isTMS)
        if let refusal = archive.refusal { throw refusal }
        return TileLayer(id: "file:\(path)", source: archive, info: archive.info)
    }
}

/// How archives are opened, with what tells them the kind and size of their pictures.
enum TileProbes {
    /// - Parameter isTMS: a folder's rows count from the south.
    static func open(_ path: String, isTMS: Bool) throws(ArchiveFailure) -> any TileArchive {
        isTMS
            ? try TileFolder(path, scheme: .tms, probe: header)
            : try Archive.open(path, probe: header)
    }

    private static let header: TileProbe = { bytes in
        guard let header = try? ImageHeader(reading: bytes) else { return nil }
        return (header.kind.rawValue, header.width, header.height)
    }
}
