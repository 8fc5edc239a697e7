/// The texts of the panel of a track.
enum TrackText {
    static let noTimes = "Track has no timestamps"
    static let selectPart = "select a part"
    static let axis = "distance or time"
    static let elevationAwaited = "Track has no elevation; looking it up …"
    static let noElevation = "Track has no elevation, and no elevation source covers it"
    static let reading = "Reading the track …"
    static let noTrack = "No track loaded. Add one with :over FILE.gpx"
    static let nothingToStep = "Nothing to step through. Search with /, or add data with :over FILE"
}
