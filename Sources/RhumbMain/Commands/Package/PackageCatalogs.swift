internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The catalogues that a command is about.
struct PackageCatalogs {
    let invocation: Invocation
    let session: MapSession
    private(set) var loaders: [MapLoader]

    /// - Parameter mayBeNone: If true, no known catalogue is not an error.
    /// - Throws: A sentence if no catalogue is known or there are no regions.
    init(_ invocation: Invocation, _ session: MapSession, mayBeNone: Bool = false) throws {
        self.invocation = invocation
        self.session = session
        loaders = try session.allMapLoaders()
        guard mayBeNone || !loaders.isEmpty else {
            throw Notice.Problem(
                "no catalogue configured: use --catalog URL, or add \"catalog\" to the configuration file; "
                    + "countries:SOURCE has the countries of a source that allows downloads")
        }
    }

    /// What the catalogues say, one after the other; what can't be had is said to the person.
    /// - Throws: why nothing could be had at all.
    func each<Value: Sendable>(
        _ body: (MapLoader) async throws(MapLoaderFailure) -> Value
    ) async throws(MapLoaderFailure) -> [Value] {
        var values: [Value] = [], failures: [MapLoaderFailure] = []
        for loader in loaders {
            do throws(MapLoaderFailure) { values.append(try await body(loader)) } catch {
                failures.append(error)
            }
        }
        if values.isEmpty, let failure = failures.first { throw failure }
        for failure in failures { Output.say("rhumb: \(FailureText.sentence(failure))") }
        return values
    }

    /// The ids on the command line.
    var ids: [String] { (invocation.operand ?? "").split(separator: " ").map(String.init) }

    /// Only the catalogue that has the packages on the command line, first that they are installed from; all,
    /// where none is named.
    func ofNamed() async throws -> PackageCatalogs {
        var own = self
        if !ids.isEmpty { own.loaders = [try await loader(having: ids, isInstalled: true)] }
        return own
    }

    /// The one catalogue that has all of these packages; of several the one that was named.
    /// - Parameters:
    ///   - isInstalled: whether those count first that something of them was installed from.
    ///   - isStrict: whether none counts while one can't be had that they may be installed from.
    /// - Throws: a sentence, where none has or several have.
    func loader(
        having ids: [String], isInstalled: Bool = false, isStrict: Bool = false
    ) async throws -> MapLoader {
        if let only = loaders.first, loaders.count == 1 { return only }
        var found: [(loader: MapLoader, isInstalled: Bool)] = [], failure: MapLoaderFailure?,
            missing: MapLoaderFailure?
        var catalogs: Set<String> = [], areGroups = false
        for loader in loaders {
            do throws(MapLoaderFailure) {
                catalogs.insert(try await loader.catalogID())
            } catch {
                missing = missing ?? error
                continue
            }
            do throws(MapLoaderFailure) {
                var packages: [MapPackage] = []
                for id in ids { packages.append(try await loader.package(id)) }
                found.append((loader, packages.contains { $0.status != .none }))
                areGroups = areGroups || packages.contains { !$0.children.isEmpty }
            } catch {
                failure = failure ?? error
            }
        }
        let isNamed = invocation[all: .catalog].count == 1 && found.first?.loader === loaders.first
        let isClear = isNamed && found.first?.isInstalled == true
        // What lies in a group of a catalogue that can't be had isn't known: it may be anything.
        if isStrict, !isClear, let missing, try isStored(areGroups ? nil : ids, besides: catalogs) {
            throw missing
        }
        if isInstalled, found.contains(where: \.isInstalled) { found.removeAll { !$0.isInstalled } }
        guard found.count < 2 || isNamed else {
            throw Notice.Problem(
                "several catalogues have \(ids.joined(separator: ", ")); choose one with --catalog")
        }
        guard let first = found.first else {
            throw missing ?? failure ?? MapLoaderFailure(.invalidParameters, "no catalogue has this package")
        }
        return first.loader
    }

    /// Whether something is installed from a catalogue that is none of those.
    /// - Parameter ids: the packages that count; nil: all.
    private func isStored(_ ids: [String]?, besides catalogs: Set<String>) throws -> Bool {
        try session.regions().store.regions().contains { record in
            record.package.map { ids?.contains($0.package) != false && !catalogs.contains($0.catalog) }
                ?? false
        }
    }
}
