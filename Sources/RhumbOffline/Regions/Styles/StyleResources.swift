internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening

/// The resources of a style besides tiles: the documents of its sources, GeoJSON and sprites. Glyphs are not
/// needed in a terminal.
struct StyleResources {
    /// A resource.
    enum Item {
        case web(WebResource)
        /// A file path.
        case file(String)
        /// A resource that can't be requested, and the reason.
        case unusable(address: String, reason: String)
    }

    private let style: Style
    /// The address of the style, against which relative addresses are resolved.
    private let base: String
    private let web: WebSourceOpener

    init(_ style: Style, at base: String, _ web: WebSourceOpener) {
        self.style = style
        self.base = base
        self.web = web
    }

    /// The resources, sorted by source name. Archives are omitted, because regions store the parts they need.
    var items: [Item] {
        style.sources.sorted { $0.key < $1.key }.compactMap { item($1, named: $0) }
            + style.sprites.flatMap { [$0.index, $0.image] }.map(item)
    }

    private func item(_ source: StyleSource, named name: String) -> Item? {
        if source.kind == .geojson { return source.data?.string.map(item) }
        guard source.tiles.isEmpty, let url = source.url else { return nil }
        if let problem = source.problem { return .unusable(address: url, reason: problem) }
        do throws(SourceFailure) {
            let definition = try source.definition(named: name, in: base)
            return definition.kind == .tilejson ? item(url) : nil
        } catch {
            return .unusable(address: url, reason: "\(error)")
        }
    }

    private func item(_ url: String) -> Item {
        let address = StyleSource.absolute(url, in: base)
        guard SourceDefinition.isAddress(address) else { return .file(address) }
        do throws(WebSourceFailure) {
            return .web(try web.resource(document: address))
        } catch {
            return .unusable(address: url, reason: "\(error)")
        }
    }
}
