internal import RhumbBase

/// The names of sources in a list, with addresses and editions where several have the same name.
public struct OriginNames: Sendable {
    /// Names that several sources or editions have.
    private let shared: Set<String>

    /// Names for origins, told apart where two would have the same.
    public init(_ origins: some Sequence<TileOrigin>) {
        let named = Dictionary(grouping: Set(origins), by: \.source)
        shared = Set(named.filter { $0.value.count > 1 }.keys)
    }

    /// Harmless to a terminal.
    public func name(of origin: TileOrigin) -> String {
        SafeText.sanitised(shared.contains(origin.source) ? origin.description : origin.source, limit: 300)
    }
}
