// The names that types had in version 0.1. They will be removed in version 0.3.

/// The old name of `CacheEntryCounts`.
@available(*, deprecated, renamed: "CacheEntryCounts") public typealias CacheStanding = CacheEntryCounts
/// The old name of `CityDistrict`.
@available(*, deprecated, renamed: "CityDistrict") public typealias CitySection = CityDistrict
/// The old name of `FeatureClasses`.
@available(*, deprecated, renamed: "FeatureClasses") public typealias ClassedLayer = FeatureClasses
/// The old name of `LayerFeatures`.
@available(*, deprecated, renamed: "LayerFeatures") public typealias DescribedTiles = LayerFeatures
/// The old name of `UpdatePlan`.
@available(*, deprecated, renamed: "UpdatePlan") public typealias CatalogUpdateInfo = UpdatePlan
/// The old name of `OfflineFailure`.
@available(*, deprecated, renamed: "OfflineFailure") public typealias RegionFailure = OfflineFailure
/// The old name of `StyleDependencies`.
@available(*, deprecated, renamed: "StyleDependencies") public typealias FeatureUse = StyleDependencies
/// The old name of `FixedPointRect`.
@available(*, deprecated, renamed: "FixedPointRect") public typealias FixedBox = FixedPointRect
/// The old name of `FeatureMatch`.
@available(*, deprecated, renamed: "FeatureMatch") public typealias FoundFeature = FeatureMatch
/// The old name of `ElevationModel`.
@available(*, deprecated, renamed: "ElevationModel") public typealias GroundHeights = ElevationModel
/// The old name of `CachedTile`.
@available(*, deprecated, renamed: "CachedTile") public typealias KeptTile = CachedTile
/// The old name of `SessionEvent`.
@available(*, deprecated, renamed: "SessionEvent") public typealias MapNews = SessionEvent
/// The old name of `PackageStoreState`.
@available(*, deprecated, renamed: "PackageStoreState") public typealias MapStorageState = PackageStoreState
/// The old name of `OverlayStyle`.
@available(*, deprecated, renamed: "OverlayStyle") public typealias OverlayLook = OverlayStyle
/// The old name of `EmbeddedMap`.
@available(*, deprecated, renamed: "EmbeddedMap") public typealias OwnMap = EmbeddedMap
/// The old name of `PackSet`.
@available(*, deprecated, renamed: "PackSet") public typealias PackCover = PackSet
/// The old name of `ParsedLocation`.
@available(*, deprecated, renamed: "ParsedLocation") public typealias PlaceText = ParsedLocation
/// The old name of `RegionTileSet`.
@available(*, deprecated, renamed: "RegionTileSet") public typealias RegionCover = RegionTileSet
/// The old name of `RegionTileRecord`.
@available(*, deprecated, renamed: "RegionTileRecord") public typealias RegionHolding = RegionTileRecord
/// The old name of `RegionSourceRecord`.
@available(*, deprecated, renamed: "RegionSourceRecord") public typealias RegionPart = RegionSourceRecord
/// The old name of `SyncMode`.
@available(*, deprecated, renamed: "SyncMode") public typealias RegionPass = SyncMode
/// The old name of `StoreRecovery`.
@available(*, deprecated, renamed: "StoreRecovery") public typealias RegionSalvage = StoreRecovery
/// The old name of `RecoverableError`.
@available(*, deprecated, renamed: "RecoverableError") public typealias Remediable = RecoverableError
/// The old name of `RecoverySuggestion`.
@available(*, deprecated, renamed: "RecoverySuggestion") public typealias Remedy = RecoverySuggestion
/// The old name of `Isochrone`.
@available(*, deprecated, renamed: "Isochrone") public typealias RouteReach = Isochrone
/// The old name of `ReverseGeocodeResult`.
@available(*, deprecated, renamed: "ReverseGeocodeResult") public typealias SpotDescription =
    ReverseGeocodeResult
/// The old name of `CacheCounter`.
@available(*, deprecated, renamed: "CacheCounter") public typealias StoreEvent = CacheCounter
/// The old name of `StyleDiagnostic`.
@available(*, deprecated, renamed: "StyleDiagnostic") public typealias StyleFinding = StyleDiagnostic
/// The old name of `StyleEnvironment`.
@available(*, deprecated, renamed: "StyleEnvironment") public typealias StyleSurroundings = StyleEnvironment
/// The old name of `TextLocation`.
@available(*, deprecated, renamed: "TextLocation") public typealias TextPlace = TextLocation
/// The old name of `TileValidity`.
@available(*, deprecated, renamed: "TileValidity") public typealias TileStanding = TileValidity
/// The old name of `WantedTile`.
@available(*, deprecated, renamed: "WantedTile") public typealias TileWant = WantedTile
/// The old name of `AttributedHeights`.
@available(*, deprecated, renamed: "AttributedHeights") public typealias ToldHeights = AttributedHeights
/// The old name of `RedactedURL`.
@available(*, deprecated, renamed: "RedactedURL") public typealias TypedAddress = RedactedURL
/// The old name of `URLCredentials`.
@available(*, deprecated, renamed: "URLCredentials") public typealias TypedKeys = URLCredentials
/// The old name of `ZoomStatistics`.
@available(*, deprecated, renamed: "ZoomStatistics") public typealias ZoomFigures = ZoomStatistics
