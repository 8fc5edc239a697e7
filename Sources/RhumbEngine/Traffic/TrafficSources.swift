public import RhumbCore

/// The traffic services that are available with the known keys.
public struct TrafficSources: Sendable {
    /// TomTom's two generations of services.
    public enum Product: String, Sendable, CaseIterable {
        case classic, orbis
    }

    /// The ids of the services as sources.
    public static let names = Set(TrafficDefinitions.all.map(\.id))

    private let own: Lazy<[String: SourceDefinition]>
    private let product: Product
    private let environment: @Sendable (String) -> String?
    private let configuration: @Sendable (String) -> String?

    /// - Parameters:
    ///   - definitions: Definitions that replace the known ones with the same id: "tomtom-flow",
    ///     "tomtom-incidents", both with the suffix "-vector", "tomtom-orbis-flow", "tomtom-orbis-incidents"
    ///     and "here-flow".
    ///   - environment: Returns variables of the environment: keys, and base addresses of the services.
    ///   - configuration: Returns keys of the configuration file, by "tomtom" and "here".
    public init(
        definitions: [SourceDefinition] = [], product: Product = .classic,
        environment: @escaping @Sendable (String) -> String?,
        configuration: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.init(product: product, environment: environment, configuration: configuration) { definitions }
    }

    /// - Parameter definitions: The definitions, read when traffic is first requested.
    package init(
        product: Product = .classic, environment: @escaping @Sendable (String) -> String?,
        configuration: @escaping @Sendable (String) -> String?,
        definitions: @escaping @Sendable () -> [SourceDefinition]
    ) {
        own = Lazy { Dictionary(definitions().map { ($0.id, $0) }, uniquingKeysWith: { _, last in last }) }
        self.product = product
        self.environment = environment
        self.configuration = configuration
    }

    /// The services as sources, with the user's own in place of those with the same id.
    public var definitions: [SourceDefinition] { TrafficDefinitions.all.map(replaced) }

    /// The provider of each kind: TomTom if its key is known, or else HERE, which has flow only.
    public var providers: [TrafficKind: TrafficProvider] {
        if key(of: TrafficDefinitions.tomtomFlow) != nil { return [.flow: .tomtom, .incidents: .tomtom] }
        return key(of: TrafficDefinitions.hereFlow) != nil ? [.flow: .here] : [:]
    }

    private static let incidentKey = TrafficProvider.tomtom.keyVariable
    private static let flowKeys = "\(incidentKey) or \(TrafficProvider.here.keyVariable)"

    /// Returns the variables that may contain the missing key for a choice; nil if no key is missing.
    public func missingKey(for choice: TrafficChoice) -> String? {
        let providers = providers
        if choice.incidents != nil, providers[.incidents] == nil { return Self.incidentKey }
        return choice.flow != nil && providers[.flow] == nil ? Self.flowKeys : nil
    }

    /// Returns the source of flow, drawn in a mode if the provider has modes.
    /// - Parameter isVector: True for vector tiles, if the provider has any.
    /// - Throws: `SourceFailure.missingKey` with the setting to add, or another failure.
    public func flow(_ mode: FlowMode, isVector: Bool = false) throws(SourceFailure) -> TrafficSource {
        switch (providers[.flow], product) {
        case (nil, _): throw missingKey(Self.flowKeys)
        case (.here, _): return try source(.flow, .here, TrafficDefinitions.hereFlow)
        case (.tomtom, .orbis):
            return try source(
                .flow, .tomtom, TrafficDefinitions.orbisFlow,
                values: ["light": mode == .relative0Dark ? "dark" : "light"])
        case (.tomtom, .classic) where isVector:
            return try source(
                .flow, .tomtom, TrafficDefinitions.tomtomVectorFlow, mode: mode,
                values: ["style": mode.measure.rawValue])
        case (.tomtom, .classic):
            let thickness = mode.takesThickness ? "&thickness=10" : ""
            return try source(
                .flow, .tomtom, TrafficDefinitions.tomtomFlow, mode: mode,
                values: ["style": mode.rawValue, "thickness": thickness])
        }
    }

    /// Returns the source of incidents, drawn in a style.
    /// - Parameter isVector: True for vector tiles, if the provider has any; they have no styles.
    /// - Throws: `SourceFailure.missingKey` with the setting to add, or another failure.
    public func incidents(
        _ style: IncidentStyle, isVector: Bool = false
    ) throws(SourceFailure) -> TrafficSource {
        guard providers[.incidents] != nil else { throw missingKey(Self.incidentKey) }
        if isVector && product == .classic {
            return try source(.incidents, .tomtom, TrafficDefinitions.tomtomVectorIncidents)
        }
        let isDark = style == .s0Dark || style == .night
        return try source(
            .incidents, .tomtom,
            product == .classic ? TrafficDefinitions.tomtomIncidents : TrafficDefinitions.orbisIncidents,
            values: ["style": style.rawValue, "light": isDark ? "dark" : "light"])
    }

    /// Returns the address of the newest model; nil without a key.
    public func modelAddress(_ box: ViewportService.Box) -> HTTPAddress? {
        tomtom.map { ViewportService.address(base: $0.base, key: $0.key, box: box) }
    }

    /// Returns the address of the incidents around a position; nil without a key.
    /// - Parameter radius: The radius in metres.
    func detailsAddress(
        around place: Coordinate, radius: Double, model: TrafficModel?
    ) -> HTTPAddress? {
        tomtom.map {
            IncidentDetails.address(
                base: $0.base, key: $0.key, around: place, radius: radius, model: model)
        }
    }

    private var tomtom: (base: String, key: String)? {
        let definition = replaced(TrafficDefinitions.tomtomIncidents)
        guard let key = key(of: definition), let base = definition.replaceable["base"] else { return nil }
        let given = environment(base.environment).flatMap { $0.isEmpty ? nil : $0 } ?? base.standard
        return (given.withoutFinalSlash, key)
    }

    private func source(
        _ kind: TrafficKind, _ provider: TrafficProvider, _ definition: SourceDefinition,
        mode: FlowMode? = nil, values: [String: String] = [:]
    ) throws(SourceFailure) -> TrafficSource {
        try TrafficSource(
            kind, provider, replaced(definition), mode: mode, values: values, environment: environment,
            configuration: configuration)
    }

    private func replaced(_ definition: SourceDefinition) -> SourceDefinition {
        own.value[definition.id] ?? definition
    }

    private func key(of definition: SourceDefinition) -> String? {
        try? replaced(definition).secrets(environment: environment, configuration: configuration)["key"]
    }

    private func missingKey(_ variable: String) -> SourceFailure {
        .missingKey(source: "traffic", environment: variable, configuration: "tomtom")
    }
}
