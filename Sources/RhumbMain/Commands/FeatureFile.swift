internal import Rhumb
internal import RhumbBrowser

/// The features that a command reads from a file or standard input.
struct FeatureFile {
    /// The file's name for messages.
    let name: String
    let features: [OverlayFeature]
    /// The faults of skipped parts.
    let faults: OverlayFaults
    /// Sentences about data that is read, such as assumptions, or that the map doesn't show.
    private let remarks: [String]
    /// The reason why the file shows nothing; nil if it shows something.
    let emptiness: String?
    private static let timeLimit = Duration.seconds(120)

    /// - Throws: A sentence if nothing can be read.
    init(_ specifier: String) async throws {
        let origin = OverlayOrigin(specifier)
        if URLReference.isWeb(specifier) {
            throw Notice.Problem(
                "\(SafeText.sanitised(specifier)): this command reads files; download it first, for example with curl -O"
            )
        }
        guard let origin, origin.isFile || origin == .standardInput else {
            guard Files.exists(specifier) else { throw FileProblem(specifier) }
            throw Notice.Problem(
                "can't open \(SafeText.sanitised(specifier)): not a GPX, KML, KMZ, TCX, FIT, GeoJSON or NMEA file"
            )
        }
        let feed = OverlayFeed(origin, number: 0, overlayTheme: LiveLayer.OverlayTheme())
        let status = await feed.whole(within: Self.timeLimit)
        feed.stop()
        if let problem = status.problem, !status.isEmpty { throw Notice.Problem(problem) }
        guard status.isWhole else {
            throw Notice.Problem("\(origin.name): no end of data within \(Self.timeLimit)")
        }
        name = origin.name
        features = Array(feed.live.index.features)
        faults = status.faults
        remarks = [status.remark, status.note].compactMap(\.self)
        emptiness = status.isEmpty ? status.problem : nil
    }

    /// Prints the faults and remarks.
    func printFaults() {
        for line in faults.first.map({ "\($0)" }) + remarks { Output.say("rhumb: \(name): \(line)") }
    }
}
