internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// The source of ground heights: an open map, or else the user's source, or else the heights that regions
/// store. It is opened once. Tiles along lines are only requested from servers whose layer is shown, or which
/// the user named for a command.
final class HeightSource: Sendable {
    /// The source of shading and contours if the user has none.
    private static let standard = "mapterhorn"
    private let specifier: String?
    /// True if tiles along lines may be requested although no layer shows them.
    let requestsTiles: Bool
    private let opener: MapOpener
    private let fetcher: any TileFetcher
    private let session: MapSession
    /// The open source; nil until it is open. After a failure, the next call tries again.
    private let opened = Mutex<ElevationModel?>(nil)
    /// The sources that regions store, with the definitions they were opened from.
    private let stored = Mutex<(definitions: [SourceDefinition], grounds: [ElevationModel])>(([], []))
    private let opening = SingleFlight<String, Result<ElevationModel, Notice.Problem>>()

    /// - Parameters:
    ///   - specifier: The name or address of the source; nil if there is none.
    ///   - requestsTiles: If true, tiles along lines are requested from the server that `specifier`
    ///     names.
    init(_ specifier: String?, _ session: MapSession, requestsTiles: Bool = false) {
        self.specifier = specifier
        self.requestsTiles = requestsTiles && specifier != nil
        opener = session.opener
        fetcher = session.fetcher
        self.session = session
    }

    /// Returns the layers of shading and contours: of the open maps, of the user's source, or of Mapterhorn.
    /// - Parameters:
    ///   - layers: The open maps.
    ///   - zoomsAhead: The number of zooms by which tiles are finer than the map's zoom in cells.
    ///   - onFetch: Called with the source's name before a request is sent.
    /// - Returns: The layers; none offline, if no heights are stored.
    /// - Throws: A sentence if the source can't be opened.
    func hills(
        _ choice: HillsChoice, over layers: [TileLayer], by opener: MapOpener, _ theme: MapTheme,
        zoomsAhead: Int = 0, onFetch: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(Notice.Problem) -> [TileLayer] {
        var ground: ElevationModel?
        do throws(Notice.Problem) {
            ground = try await self.ground(under: layers)
        } catch {
            // A file that doesn't exist is an error with and without a network.
            let isPath = specifier.map { $0.contains("/") && !SourceDefinition.isAddress($0) } ?? false
            guard session.isOffline, !isPath else { throw error }
            ground = await storedGround()
            if ground == nil { return [] }
        }
        do throws(MapOpenFailure) {
            if ground == nil {
                let opened = try await opener.open(Self.standard, onFetch: onFetch)
                ground = ElevationModel.of(opened, fetcher)
            }
            return try ground.map { ground throws(MapOpenFailure) in
                try opener.hills(
                    choice, of: ground, theme, zoomsAhead: zoomsAhead,
                    areCased: layers.contains { $0.isVisible && !$0.isTransparent && $0.drawing == nil })
            } ?? []
        } catch {
            if ground == nil, session.isOffline { return [] }
            // Nobody typed the address of the standard source.
            throw Notice.Problem(shown: error)
        }
    }

    /// Returns the heights of the ground; nil if there is no source.
    /// - Parameters:
    ///   - layers: The open maps.
    ///   - places: Positions on the Mercator square. Of several sources that regions store, the one that has
    ///     a height at most of them is returned.
    /// - Throws: A sentence if the source can't be opened or has no heights.
    func ground(
        under layers: [TileLayer] = [], at places: [SIMD2<Double>] = []
    ) async throws(Notice.Problem) -> ElevationModel? {
        if let ground = ElevationModel.of(layers, fetcher) { return ground }
        guard let specifier else { return await storedGround(at: places) }
        if let cached = opened.withLock(\.self) { return cached }
        return try await opening.value(for: specifier) { [opener, fetcher] in
            await withTaskExecutorPreference(BlockingExecutor.shared) {
                do throws(Notice.Problem) {
                    let ground = try await Self.open(specifier, by: opener, fetcher)
                    self.opened.withLock { $0 = ground }
                    return .success(ground)
                } catch {
                    return .failure(error)
                }
            }
        }.get()
    }

    /// Returns the heights stored by regions; nil if there are none. They are opened without a request.
    private func storedGround(at places: [SIMD2<Double>] = []) async -> ElevationModel? {
        let grounds = await storedGrounds()
        guard grounds.count > 1, !places.isEmpty else { return grounds.first }
        let sample = stride(from: 0, to: places.count, by: places.count / Self.samples + 1).map { places[$0] }
        let known = grounds.map { ground in ground.heights(at: sample).count { !$0.isNaN } }
        // Of equal ones, the first.
        return known.max().flatMap { most in known.firstIndex(of: most).map { grounds[$0] } }
    }

    /// The maximum number of places at which stored sources are compared.
    private static let samples = 16

    /// Returns the sources of heights that regions store, each once.
    private func storedGrounds() async -> [ElevationModel] {
        let definitions = ((try? session.regions().store.regions()) ?? []).flatMap { record in
            record.parts.compactMap(\.editionDefinition).filter { $0.elevation != nil }
        }
        let (previous, grounds) = stored.withLock { $0 }
        if definitions == previous { return grounds }
        var opened: [ElevationModel] = []
        for (at, definition) in definitions.enumerated() where definitions.firstIndex(of: definition) == at {
            if let layer = try? await opener.openStored(definition, theme: .day),
                let ground = ElevationModel.of([layer], fetcher)
            {
                opened.append(ground)
            }
        }
        stored.withLock { $0 = (definitions, opened) }
        return opened
    }

    private static func open(
        _ specifier: String, by opener: MapOpener, _ fetcher: any TileFetcher
    ) async throws(Notice.Problem) -> ElevationModel {
        var opener = opener
        opener.isTerrain = true
        let opened = try await convertingAsync(await opener.open(specifier)) { (error: MapOpenFailure) in
            Notice.Problem(error)
        }
        guard let ground = ElevationModel.of(opened, fetcher) else {
            throw Notice.Problem(
                "\(SafeText.sanitised(specifier)) has no elevation; use a terrain model as a GeoTIFF file, or an archive of terrain-RGB or terrarium tiles with the encoding in its metadata"
            )
        }
        return ground
    }
}
