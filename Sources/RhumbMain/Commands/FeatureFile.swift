internal import Rhumb
internal import RhumbBrowser

/// The features of a file, or of standard input, that a command works on.
struct FeatureFile {
    /// What it is called in messages.
    let name: String
    let features: [OverlayFeature]
    /// What of it was left out.
    let faults: OverlayFaults
    private static let patience = Duration.seconds(120)

    /// - Throws: a sentence, where nothing can be read.
    init(_ words: String) async throws {
        guard let origin = OverlayOrigin(words), origin.isFile || origin == .standardInput else {
            let isThere = Files.exists(words)
            throw Notice.Problem(
                "can't read \(SafeText.sanitised(words)): "
                    + (isThere ? "not a GPX, KML, KMZ, TCX, FIT, GeoJSON or NMEA file" : "no such file; check its "
                    + "name"))
        }
        let feed = OverlayFeed(origin, number: 0, dress: LiveLayer.Dress())
        let status = await feed.whole(within: Self.patience)
        feed.stop()
        if let problem = status.problem { throw Notice.Problem(problem) }
        guard status.isWhole else { throw Notice.Problem("\(origin.name): no end of data within \(Self.patience)") }
        (name, features, faults) = (origin.name, feed.live.index.features, status.faults)
    }

    /// Says what was left out.
    func tellFaults() { for fault in faults.first { Output.say("rhumb: \(name): \(fault)") } }
}
