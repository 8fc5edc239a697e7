import RhumbEngine
import Testing

/// Tests the list of features.
struct FeatureListTests {
    @Test(arguments: Feature.all)
    func `every feature selects something, and has a name for users`(feature: Feature) {
        #expect(!feature.provision.contains("nothing") && feature.title?.isEmpty == false)
    }

    @Test(arguments: ["landmarks3d", "junctionView3x4", "adas", "rdsTraffic", "LANDMARKS3D"])
    func `a feature of HERE that no source provides is rejected by its name`(name: String) {
        let error = #expect(throws: FeatureFailure.self) {
            try LayerConfiguration.features("rendering,\(name)")
        }
        let words = error.map { "\($0)".lowercased() } ?? ""
        #expect(words.contains(name.lowercased()) && words.contains("no source"))
    }

    @Test func `features that are enabled and prefetched by default exist`() {
        let configuration = LayerConfiguration()
        #expect(configuration.enabledFeatures.isSuperset(of: configuration.implicitlyPrefetchedFeatures))
        #expect(Set(Feature.all).isSuperset(of: configuration.enabledFeatures))
    }
}
