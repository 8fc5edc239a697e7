internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// Opening a session with the options of the command line.
extension Invocation {
    /// The time that downloads of commands wait for a lost network. Nobody may be there to end them.
    private static let networkTimeout = Duration.seconds(600)

    /// Runs a closure with a session, reports the session's problems, and closes it.
    func withSession<Value>(
        asksFirst: Bool = true, board: TileBoard = TileBoard(),
        _ body: (MapSession) async throws -> Value
    ) async throws -> Value {
        let session = try await openSession(
            asksFirst: asksFirst, board: board, prefetch: .none,
            networkTimeout: Invocation.networkTimeout)
        let listener = Task.detached { [news = session.news] in
            for await case .trouble(let failure) in news {
                Output.say("rhumb: \(FailureText.sentence(failure))")
            }
        }
        let outcome: Result<Value, any Error>
        do {
            try checkStyle(session)
            outcome = .success(try await body(session))
        } catch {
            outcome = .failure(error)
        }
        session.close()
        await listener.value
        return try outcome.get()
    }

    /// Opens a session. Its events include the stores that can't be opened.
    /// - Parameters:
    ///   - networkTimeout: The maximum time that downloads wait for a lost network; nil for no limit.
    ///   - opensStoresLater: True to open the stores when they are first used.
    ///   - onSilence: Called with a server that doesn't respond.
    /// - Throws: `Notice.Problem` if the options or the configuration file are invalid.
    func openSession(
        asksFirst: Bool, board: TileBoard = TileBoard(), prefetch: PrefetchLimits = PrefetchLimits(),
        networkTimeout: Duration? = nil, opensStoresLater: Bool = false,
        onSilence: (@Sendable (ServerSilence?) -> Void)? = nil
    ) async throws -> MapSession {
        let environment = Environment.all
        var options = MapSession.Options(userAgent: try userAgent())
        options.client.downloadRate = self[.rate]
        options.client.onSilence = onSilence
        options.client.authorities = CertificateAuthorities(environment, named: self[.authorities])
        options.client.objectStores = try objectStores()
        options.client.cacheProxy = try cacheProxy()
        options.client.failureFile = Folders(environment: environment).state.map { $0 + "/failures" }
        options.client.requiresCacheProxy = self[.cacheProxyOnly]
        options.opensStoresLater = opensStoresLater
        options.isOffline = self[.offline]
        options.isMetered = self[.metered]
        options.cache = cachePath
        options.cacheQuota = self[.cacheSize] ?? options.cacheQuota
        options.regions = usableRegionPath
        options.regionQuota = self[.regionQuota]
        options.renewsRegions = self[.store] == "update"
        options.configuration = try layerConfiguration()
        options.catalog = try catalog()
        options.packageCatalogs = self[all: .catalog]
        options.packageKey = try packageKey()
        options.style = styleChoice
        options.styleFolder = styleFolder
        options.places = EmbeddedPlaces.open
        options.asksFirst = asksFirst
        options.board = board
        options.prefetch = prefetch
        options.lockTimeout = lockTimeout
        options.networkTimeout = networkTimeout
        let session = await MapSession.open(options)
        if let path = options.client.authorities.unreadable {
            session.report(
                Notice.Problem(
                    "\(FileProblem(path)); without CA certificates, HTTPS servers can't be verified"))
        }
        if let path = options.client.authorities.file, FileFacts(path)?.isFile == true,
            let bytes = Files.read(path, limit: 64 << 20),
            !String(decoding: bytes, as: UTF8.self).contains("CERTIFICATE-----")
        {
            session.report(
                Notice.Problem(
                    "\(path) has no CA certificate in PEM, so HTTPS servers can't be verified; convert DER with "
                        + "openssl x509 -inform der -in \(path) -out ca.pem"))
        }
        if options.cache == nil {
            session.report(Notice.Problem("the cache is off: \(Folders.missing), or use --cache-path"))
        }
        return session
    }

    /// Returns the key of `--key`, which may be in a file.
    private func packageKey() throws(UsageError) -> String? {
        guard let given = self[.key], !given.isEmpty else { return nil }
        if let bytes = Files.read(given), let key = MinisignKey(String(decoding: bytes, as: UTF8.self)) {
            return key.text
        }
        let digits = given.filter { $0 != " " }
        guard MinisignKey(given) != nil || digits.count == 32 && digits.allSatisfy(\.isHexDigit) else {
            throw UsageError(
                "--key needs a public key of minisign, its file, or its fingerprint of 32 digits")
        }
        return given
    }

    private func cacheProxy() throws(UsageError) -> CacheProxy? {
        guard let given = self[.cacheProxy], !given.isEmpty else { return nil }
        guard let proxy = CacheProxy(given) else {
            throw UsageError(
                "\(spelling(of: .cacheProxy)): \(SafeText.sanitised(given, limit: 80)) must be an http or https address "
                    + "without a user and a query")
        }
        return proxy
    }

    /// Returns the credentials and the endpoint of object stores. The credentials are hidden in all output.
    private func objectStores() throws -> S3Configuration {
        let stores = S3Configuration(environment: Environment.all, endpoint: self[.endpoint]) {
            Files.read($0)
        }
        if let endpoint = stores.endpoint,
            !["http", "https"].contains(URLReference(endpoint).scheme) || !URLReference(endpoint).isWeb
        {
            let named = self[.endpoint] == nil ? "the endpoint" : spelling(of: .endpoint) + ":"
            throw UsageError(
                "\(named) \(SafeText.sanitised(endpoint, limit: 80)) must be an http or https address")
        }
        Output.hide(stores.secrets)
        return stores
    }

    /// Returns the named sources and the keys. The keys are hidden in all output.
    /// - Throws: A sentence if the configuration file can't be read or parsed.
    func catalog() throws -> SourceCatalog {
        let configuration = try configuration(Environment.all)
        let catalog = SourceCatalog(
            own: configuration?.sources.map { HomeFolder.expanded($0, Environment.all["HOME"]) },
            location: { configuration?.location(of: "sources", element: $0) },
            environment: Environment.all, key: { configuration?.key($0) },
            typedKeys: .own)
        Output.hide(catalog.secrets)
        return catalog
    }

    /// The path of the cache: the given one, or else a file in the cache folder; nil without a home folder.
    var cachePath: String? {
        self[.cachePath] ?? Folders(environment: Environment.all).cache.map { $0 + "/tiles.db" }
    }

    /// The path of the region store; nil without a home folder.
    var regionPath: String? {
        (self[.dataPath] ?? Folders(environment: Environment.all).data).map { $0 + "/regions.db" }
    }

    private var usableRegionPath: Result<String, RegionStoreFailure> {
        if self[.store] == "off" { return .failure(.switchedOff) }
        return regionPath.map { .success($0) } ?? .failure(.noFolder)
    }

    /// The given styles, or else the file in its usual location.
    private var styleChoice: StyleChoice {
        if let watchedStyle { return self[.map] == nil ? .standard : StyleChoice(watchedStyle) }
        guard let given = self[.style] else {
            return StyleChoice(InstalledStyles(folder: styleFolder).path(of: "style"))
        }
        return StyleChoice(optionText: given)
    }

    /// The maximum wait for a lock that another program holds.
    var lockTimeout: Duration { .seconds(self[.timeout] ?? 30) }

    /// Checks the name of the style.
    /// - Throws: `UsageError` if no style has that name.
    func checkStyle(_ session: MapSession) throws(UsageError) {
        guard watchedStyle == nil, self[.style] != nil else { return }
        let names = session.opener.styleNames
        for name in styleChoice.named
        where !name.contains(where: { $0 == "." || $0 == "/" }) && !names.contains(name) {
            let all = ["auto", "sun", "day", "night", "default"] + names.map { SafeText.sanitised($0) }
            throw UsageError(
                "\(spelling(of: .style)): unknown style \(name); expected one of \(all.joined(separator: ", ")), or a file with its extension"
            )
        }
    }

    private var styleFolder: String? { Folders(environment: Environment.all).data.map { $0 + "/style" } }

    /// Returns the user agent: Rhumb's, or the user's.
    /// - Throws: A sentence for an empty name, or one that imitates another program.
    private func userAgent() throws(UsageError) -> UserAgent {
        guard let name = self[.userAgent] else { return .rhumb(version: CommandTable.version) }
        return try converting(UserAgent(name)) { (error: UserAgentFailure) in
            UsageError("\(spelling(of: .userAgent)): \(error)")
        }
    }

    /// Returns the three lists of features, as far as they are given.
    func layerConfiguration() throws -> LayerConfiguration {
        var given = Option<String>.features
        do throws(FeatureFailure) {
            var configuration = LayerConfiguration()
            if let list = self[.features] {
                // The base map is always enabled, also if the list lacks it.
                try configuration.enable(exactly: LayerConfiguration.features(list).union([.rendering]))
            }
            given = .prefetch
            if let list = self[.prefetch] {
                configuration.implicitlyPrefetchedFeatures = try LayerConfiguration.features(list)
            }
            given = .passThrough
            if let list = self[.passThrough] {
                configuration.passThroughFeatures = try LayerConfiguration.features(list)
            }
            return configuration
        } catch {
            throw UsageError("\(spelling(of: given)): \(FailureText.sentence(error))")
        }
    }
}

extension StyleChoice {
    /// Parses the value of `--style`. The words for themes choose Rhumb's own styles.
    init(optionText text: String) {
        self = ThemeRule(text: text) == nil ? StyleChoice(text: text) : .standard
    }
}
