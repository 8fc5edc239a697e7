internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The catalogues that a command uses.
struct PackageCatalogs {
    let invocation: Invocation
    let session: MapSession
    private(set) var loaders: [MapLoader]
    /// True if it is an error that any of the catalogues can't be loaded.
    private var failsForAny = false

    /// - Parameter mayBeNone: If true, it is not an error if no catalogue is known.
    /// - Throws: A sentence if no catalogue is known or there are no regions.
    init(_ invocation: Invocation, _ session: MapSession, mayBeNone: Bool = false) throws {
        self.invocation = invocation
        self.session = session
        loaders = try session.offline.allPackages()
        guard mayBeNone || !loaders.isEmpty else {
            throw Notice.Problem(
                "no catalogue configured: use --catalog URL, or add \"catalog\" to the configuration file; "
                    + "countries:SOURCE has the countries of a source that allows downloads")
        }
    }

    /// Returns a value for each catalogue, and reports those that failed.
    /// - Throws: The failure if all of them failed.
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

    /// Returns only the catalogue of the packages on the command line, preferring one from which they are
    /// installed; all catalogues if no packages are given.
    func ofNamed() async throws -> PackageCatalogs {
        var own = self
        if !ids.isEmpty { own.loaders = [try await loader(having: ids, isInstalled: true)] }
        return own
    }

    /// Returns only the catalogues on the command line, if there are any. A new package is never installed
    /// from another one.
    func named() throws -> PackageCatalogs {
        let specifiers = invocation[all: .catalog]
        guard !specifiers.isEmpty else { return self }
        var own = self
        own.loaders = []
        for specifier in specifiers {
            let loader = try session.offline.packages(of: specifier)
            if !own.loaders.contains(where: { $0 === loader }) { own.loaders.append(loader) }
        }
        own.failsForAny = true
        return own
    }

    /// Returns the one catalogue with all of these packages, or the named one of several.
    /// - Parameters:
    ///   - isInstalled: True to prefer catalogues with installed packages.
    ///   - isStrict: True to fail if a catalogue that the packages may come from could not be loaded.
    /// - Throws: A sentence if no catalogue has them, or several have.
    func loader(
        having ids: [String], isInstalled: Bool = false, isStrict: Bool = false
    ) async throws -> MapLoader {
        if let only = loaders.first, loaders.count == 1 { return only }
        var found: [(loader: MapLoader, isInstalled: Bool)] = [], failure: MapLoaderFailure?,
            missing: MapLoaderFailure?
        var catalogs: Set<String> = [], areGroups = false
        for loader in loaders {
            if isInstalled, try await loader.installedIDs().isSuperset(of: ids) {
                // The catalogue may be refused, or no longer have them.
                found.append((loader, true))
                _ = try? await catalogs.insert(loader.catalogID())
                continue
            }
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
        if failsForAny, let missing { throw missing }
        let isNamed = invocation[all: .catalog].count == 1 && found.first?.loader === loaders.first
        let isClear = isNamed && found.first?.isInstalled == true
        // The contents of a group in a catalogue that failed to load are unknown.
        if isStrict, !isClear, let missing, try isStored(areGroups ? nil : ids, besides: catalogs) {
            throw missing
        }
        if isInstalled, found.contains(where: \.isInstalled) { found.removeAll { !$0.isInstalled } }
        guard found.count < 2 || isNamed else {
            let choices = found.map { "--catalog \($0.loader.address.shellQuoted)" }
            throw Notice.Problem(
                "several catalogues have \(ids.joined(separator: ", ")); choose one with "
                    + choices.joined(separator: " or "))
        }
        guard let first = found.first else {
            throw missing ?? failure ?? MapLoaderFailure(.invalidParameters, "no catalogue has this package")
        }
        return first.loader
    }

    /// Returns true if a package of a catalogue other than these is installed.
    /// - Parameter ids: The packages to look for; nil for all.
    private func isStored(_ ids: [String]?, besides catalogs: Set<String>) throws -> Bool {
        try session.regions().store.regions().contains { record in
            record.package.map { ids?.contains($0.package) != false && !catalogs.contains($0.catalog) }
                ?? false
        }
    }
}
