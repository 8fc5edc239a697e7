internal import CAssets
internal import Rhumb

/// The names of places that ride inside the binary.
enum EmbeddedPlaces {
    /// Opens them, if the feature they belong to is on.
    static func search(_ configuration: LayerConfiguration) throws(PlaceSearchFailure) -> any PlaceSearch {
        do throws(FeatureFailure) {
            try configuration.require(.offlineSearch, for: "searching for places")
        } catch {
            throw .disabled(error)
        }
        return try Gazetteer(memory, name: "embedded in rhumb")
    }

    private static var memory: MemoryBytes {
        MemoryBytes(
            UnsafeRawBufferPointer(start: rhumb_asset_places(), count: rhumb_asset_places_size()))
    }
}
