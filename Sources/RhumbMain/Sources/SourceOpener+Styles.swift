internal import Rhumb
internal import RhumbBrowser

/// Styles that are opened as maps of their own.
extension SourceOpener {
    /// The map that a style in a file makes; what its sources need is fetched first, unless it is
    /// kept.
    func opening(of style: Style, _ path: String, _ web: WebSourceOpener) -> Opening {
        let id = "file:\(path)"
        let kept = asksFirst ? nil : wait(upTo: SourceOpener.patience) {
            await result(style, at: path, id, web, prefersStored: true)
        }
        if case .success(let layers)? = kept { return .now(layers) }
        let name = style.name.isEmpty ? TileProbes.stem(path) : style.name
        return .later(LaterLayer(name: name) { await result(style, at: path, id, web, prefersStored: false) })
    }

    private func result(
        _ style: Style, at base: String, _ id: String, _ web: WebSourceOpener, prefersStored: Bool
    ) async -> Result<[TileLayer], Notice.Problem> {
        do throws(Notice.Problem) {
            return .success(try await layers(of: style, at: base, nil, id, web, prefersStored: prefersStored))
        } catch {
            return .failure(error)
        }
    }

    /// The layers of a style, bottom to top.
    func layers(
        of style: Style, at base: String, _ document: WebResource?, _ id: String, _ web: WebSourceOpener,
        prefersStored: Bool
    ) async throws(Notice.Problem) -> [TileLayer] {
        let place = StyleSurroundings(
            base: base, document: document, id: id, decoder: SniffingDecoder(), file: { Files.read($0, limit: 32 << 20) })
        var made: StyleLayers
        do throws(WebSourceFailure) {
            made = try await web.layers(of: style, place, prefersStored: prefersStored)
        } catch {
            throw Notice.Problem("\(error)")
        }
        if !style.name.isEmpty { made.layers[0].info.name = style.name }
        if let remark = SourceOpener.remark(style, made.remarks, base) { onRemark?(remark) }
        return made.layers.map { layer in
            var layer = layer
            layer.openedBy = String(id.drop { $0 != ":" }.dropFirst())
            return layer
        }
    }

    /// One sentence about what a style loses; nil if that is nothing.
    static func remark(_ style: Style, _ remarks: [String], _ place: String) -> String? {
        let count = style.findings.count + remarks.count
        guard count > 0 else { return nil }
        if count == 1 { return "\(SafeText.sanitised(place)): \(remarks.first ?? style.findings.first?.description ?? "")" }
        return "\(SafeText.sanitised(place)): \(count) things are left out, such as "
            + "\(remarks.first ?? style.findings.first?.description ?? ""); rhumb style check lists them"
    }
}
