internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb source`: lists the web sources, shows one of them, and checks whether it responds.
struct SourceCommand {
    private let invocation: Invocation
    private let catalog: SourceCatalog

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        catalog = try invocation.catalog()
    }

    func run(_ verb: SourceVerb) async throws -> Int32 {
        switch verb {
        case .list: try list()
        case .show: try invocation.print(sheet(of: try named()))
        case .check: return try await check()
        case .features: return try FeaturesCommand(invocation: invocation).run()
        }
        return ExitStatus.done
    }

    /// Returns the source named on the command line.
    private func named() throws -> SourceDefinition {
        let name = invocation.operand ?? ""
        let others = try traffic + catalog.routeEngines() + catalog.searchServices()
        if let source = try catalog.source(named: name) ?? others.first(where: { $0.id == name }) {
            return source
        }
        throw MapOpenFailure.unknown(name, among: try catalog.sources().map(\.id) + [EmbeddedWorld.name])
    }

    /// The traffic services that --traffic draws over maps.
    private var traffic: [SourceDefinition] {
        let own = Set(((try? catalog.sources()) ?? []).map(\.id))
        return catalog.traffic.definitions.filter { !own.contains($0.id) }
    }

    // MARK: Listing

    private func list() throws {
        let sources = try catalog.sources() + traffic + catalog.routeEngines() + catalog.searchServices()
        if invocation[.json] {
            return try invocation.print(.array(sources.map { entry($0).json }))
        }
        let rows = [["NAME", "KIND", "ZOOMS", "KEY", "DOWNLOAD", "TITLE"]] + sources.map(row)
        try Output.print(SourceCommand.table(rows))
    }

    private func row(_ source: SourceDefinition) -> [String] {
        [
            source.id, source.kind.rawValue, zooms(source), key(source), source.policy.offline.rawValue,
            source.name,
        ]
    }

    private func entry(_ source: SourceDefinition) -> FactSheet {
        var sheet = FactSheet()
        sheet.add("id", nil, source.id)
        sheet.add("name", nil, source.name)
        sheet.add("kind", nil, source.kind.rawValue)
        sheet.add("minZoom", nil, "", .integer(source.zooms.lowerBound))
        sheet.add("maxZoom", nil, "", .integer(source.zooms.upperBound))
        sheet.add("offline", nil, source.policy.offline.rawValue)
        addKeys(of: source, to: &sheet)
        return sheet
    }

    private func addKeys(of source: SourceDefinition, to sheet: inout FactSheet) {
        sheet.add("needsKey", nil, "", .bool(!source.keys.isEmpty))
        sheet.add("missingKey", nil, "", .text(catalog.missingKey(of: source)))
    }

    private func zooms(_ source: SourceDefinition) -> String {
        source.kind.isMap ? "\(source.zooms.lowerBound)-\(source.zooms.upperBound)" : "-"
    }

    private func key(_ source: SourceDefinition) -> String {
        if source.keys.isEmpty { return "none needed" }
        return catalog.missingKey(of: source).map { "missing: \($0)" } ?? "present"
    }

    private static func table(_ rows: [[String]]) -> String {
        TextTable([], rows).lines.map { $0 + "\n" }.joined()
    }

    // MARK: Showing a source

    private func sheet(of source: SourceDefinition) throws -> FactSheet {
        var sheet = FactSheet()
        sheet.add("id", "name", source.id)
        sheet.add("name", "title", source.name)
        sheet.add("kind", "kind", source.kind.rawValue)
        for template in try source.templates(environment: catalog.variable).prefix(1) {
            sheet.add("url", "address", template.description)
        }
        if !source.kind.isMap { return engine(source, sheet) }
        let other = source.hasTileSizes ? ", or other sizes with --tile-size or --scale" : ""
        // The header of an archive contains these values, unless the configuration file sets them.
        let usual = SourceDefinition(id: "", name: "", addresses: []).zooms
        let isDeclared = source.kind != .archive || source.zooms != usual
        let unknown = "as its header says; see rhumb source check \(source.id)"
        sheet.add(
            "tileSize", "tile size", isDeclared ? "\(source.tileSize.rawValue)\(other)" : unknown,
            .integer(source.tileSize.rawValue))
        sheet.add("minZoom", "zooms", isDeclared ? zooms(source) : unknown, .integer(source.zooms.lowerBound))
        sheet.add("maxZoom", nil, "", .integer(source.zooms.upperBound))
        sheet.add("key", "key", keyInFull(source))
        addKeys(of: source, to: &sheet)
        if source.holdsVectorTiles { sheet.add("vector", "tiles", "vector tiles", .bool(true)) }
        sheet.add("attribution", "attribution", source.attribution)
        sheet.add("feature", "feature", source.feature.name)
        if let proxy = source.cacheProxy { sheet.add("cacheProxy", "caching proxy", proxy) }
        addPolicy(of: source.policy, to: &sheet)
        return sheet
    }

    private func engine(_ source: SourceDefinition, _ begun: FactSheet) -> FactSheet {
        var sheet = begun
        if !source.modes.isEmpty {
            let modes = source.modes.map(\.rawValue)
            sheet.add("travelModes", "modes", modes.joined(separator: ", "), .array(modes.map(JSON.string)))
        }
        sheet.add("key", "key", keyInFull(source))
        addKeys(of: source, to: &sheet)
        sheet.add("attribution", "attribution", source.attribution)
        if let kind = source.kind.routing {
            sheet.add("kept", "routes stored", kind.mayBeStored ? "the last ones" : "never (terms of use)")
        }
        let policy = source.policy
        if let rate = policy.requestsPerSecond {
            sheet.add("requestsPerSecond", "requests per second", "\(rate)", .number(rate))
        }
        if policy.needsAgreement {
            sheet.add(
                "needsAgreement", "agreement",
                "required once: rhumb \(source.kind.routing == nil ? "search" : "route") --agree \(source.id)",
                .bool(true))
        }
        if let url = policy.policyURL { sheet.add("policyURL", "rules", url) }
        if let url = policy.reportURL { sheet.add("reportURL", "report map errors", url) }
        return sheet
    }

    private func keyInFull(_ source: SourceDefinition) -> String {
        let names = source.keys.map {
            "\($0.environment), or \"\($0.configuration)\" under \"keys\" in the configuration file"
        }
        return names.isEmpty ? key(source) : "\(key(source)); from " + names.joined(separator: "; ")
    }

    private func addPolicy(of policy: SourcePolicy, to sheet: inout FactSheet) {
        sheet.add("offline", "download", policy.offline.rawValue)
        sheet.add(
            "lookAhead", "look-ahead", policy.lookAhead ? "allowed, next to the view" : "not allowed",
            .bool(policy.lookAhead))
        sheet.add(
            "archives", "export to archives", policy.archives ? "allowed" : "not allowed",
            .bool(policy.archives))
        if !policy.sharedCache {
            sheet.add("sharedCache", "team caches", "not allowed", .bool(false))
        }
        sheet.add("connections", "concurrent requests", "\(policy.connections)", .integer(policy.connections))
        if let rate = policy.requestsPerSecond {
            sheet.add("requestsPerSecond", "requests per second", "\(rate)", .number(rate))
        }
        if policy.minimumCacheSeconds > 0 {
            sheet.add(
                "minimumCacheSeconds", "cached at least",
                AmountText.age(policy.minimumCacheSeconds)
                    + ", unless its headers say otherwise", .integer(Int(policy.minimumCacheSeconds)))
        }
        if let url = policy.policyURL { sheet.add("policyURL", "rules", url) }
        if let url = policy.reportURL { sheet.add("reportURL", "report map errors", url) }
    }

    // MARK: Checking

    private func check() async throws -> Int32 {
        let text = invocation.operand ?? ""
        let source: SourceDefinition
        if SourceDefinition.isAddress(text) {
            source = try SourceDefinition(address: text)
        } else {
            source = try named()
        }
        let result = try await invocation.withSession { session in
            await SourceCheck(source: source, catalog: catalog, client: session.client).run()
        }
        try invocation.print(result.sheet)
        if let problem = result.problem { Output.say("rhumb: \(problem)") }
        return result.problem == nil ? ExitStatus.done : ExitStatus.failed
    }
}
