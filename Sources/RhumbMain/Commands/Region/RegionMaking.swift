internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// A region as the command line describes it.
@MainActor
struct RegionMaking {
    let proposal: RegionProposal
    /// The region of that id as it is until then.
    let old: RegionRecord?

    init(_ command: RegionCommand) async throws {
        let invocation = command.invocation
        let id = try RegionID(invocation.operand ?? "")
        old = try? command.store.region(id.text)
        let before = try old.map { try $0.readDefinition() }
        let named = invocation[all: .source], words = named.isEmpty ? before?.sources ?? [] : named
        guard !words.isEmpty else { throw UsageError("\(invocation.command.text) needs --source") }
        guard let geometry = try await invocation.geometry() ?? before?.geometry else {
            throw UsageError("\(invocation.command.text) needs a place: --bbox, --geojson, --around or --along")
        }
        guard let zooms = try invocation[.zooms].map({ try ZoomRange($0.lowerBound, $0.upperBound) }) ?? before?.zooms
        else { throw UsageError("\(invocation.command.text) needs --zooms, such as 8-14") }
        var definition = try RegionDefinition(
            id: id, name: invocation[.name] ?? before?.name ?? "",
            metadata: try invocation.metadata() ?? before?.metadata ?? .null, geometry: geometry, zooms: zooms, sources: words,
            features: before?.features ?? invocation.layerConfiguration().enabledFeatures.map(\.name).sorted(),
            scale: invocation[.scale] ?? before?.scale ?? 1,
            packing: invocation[.wholePacks] ? .wholePacks : invocation[.exact] ? .exact : before?.packing ?? .exact)
        definition.style = invocation[.style].map(StyleChoice.init(words:)) ?? before?.style ?? .standard
        proposal = try await command.queue.propose(definition)
        for source in proposal.sources { _ = try zooms.limited(to: source.layer.dataZooms, source: source.layer.info.name) }
    }
}

extension Invocation {
    /// The ground meant; nil if nothing was said.
    @MainActor
    func geometry() async throws -> RegionGeometry? {
        if let box = self[.bbox] { return try .box(box) }
        if let file = self[.geoJSON] { return try RegionGeometry(geoJSONText: try read(file)) }
        if let place = self[.around] {
            guard let radius = self[.radius] else { throw UsageError("--around needs --radius, such as 5km") }
            return try .circle(around: place.coordinate, radius: radius)
        }
        guard let file = self[.along] else { return nil }
        guard let width = self[.width] else { throw UsageError("--along needs --width, such as 2km") }
        let isGeoJSON = [".geojson", ".json"].contains { file.lowercased().hasSuffix($0) }
        guard !isGeoJSON else { return try RegionGeometry(geoJSONText: try read(file)).widened(to: width) }
        let found = try await FeatureFile(file)
        found.tellFaults()
        return try RegionGeometry(found.features).widened(to: width)
    }

    /// The metadata given; nil if none was.
    func metadata() throws -> JSON? {
        guard let text = self[.metadata] else { return nil }
        do throws(JSONFailure) {
            return try JSON.parse(Array(text.utf8))
        } catch {
            throw UsageError("--metadata wants JSON: \(error)")
        }
    }

    private func read(_ file: String) throws -> [UInt8] {
        guard let bytes = Files.read(file, limit: 64 << 20) else {
            throw Notice.Problem("\(file) can't be read: no such file, not readable, or too large")
        }
        return bytes
    }
}

extension PlaceText {
    /// "90s", "30min", "12h", "30d" in seconds; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        let units: [(String, Int64)] = [("min", 60), ("s", 1), ("h", 3600), ("d", 86_400), ("w", 604_800)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            guard let number = Int64(text.dropLast(unit.count)), number >= 0 else { return nil }
            let (product, overflow) = number.multipliedReportingOverflow(by: seconds)
            return overflow ? nil : product
        }
        return nil
    }
}
