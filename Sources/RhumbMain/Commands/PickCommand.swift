internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb pick …`: shows the map on the terminal, and prints only the user's choice to standard output.
enum PickCommand {
    /// Returns the user's task.
    static func request(_ verb: PickVerb, _ invocation: Invocation) throws -> PickRequest {
        let kind = PickRequest.Kind(rawValue: verb.rawValue) ?? .point,
            format = invocation[.format].flatMap(PickRequest.Format.init)
        if let request = PickRequest(kind, format) { return request }
        let formats = PickRequest.formats(of: kind).map(\.rawValue).joined(separator: ", ")
        throw UsageError(
            "--format: pick \(kind.rawValue) can't print \(invocation[.format] ?? ""); expected one of "
                + "\(formats)")
    }
}
