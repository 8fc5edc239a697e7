internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb package publish`: creates a catalogue of the archives in a folder.
struct PackagePublishing {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> Int32 {
        var publisher = CatalogPublisher(invocation.operand ?? "")
        publisher.id = invocation[.id]
        publisher.title = invocation[.name]
        if let text = invocation[.edition] {
            guard let edition = PackageVersion(text) else {
                throw UsageError(
                    "invalid value \"\(text)\" for --edition: expected numbers separated by dots, such "
                        + "as 2026.47")
            }
            publisher.edition = edition
        }
        if let path = invocation[.sign] { publisher.secretKey = try SecretKeyFile(path).read() }
        if let path = invocation[.oldKey] {
            guard publisher.secretKey != nil else { throw UsageError("--old-key needs --sign") }
            publisher.oldKey = try SecretKeyFile(path).read()
        }
        if let days = invocation[.expires] {
            guard publisher.secretKey != nil else { throw UsageError("--expires needs --sign") }
            publisher.expires = UnixSeconds.now.adding(Int64(days) * 86_400).day
        }
        let outcome = try ProgressMeter.run("publishing", .bytes) { try publisher.publish() }
        try report(outcome)
        for (id, count) in outcome.outside.sorted(by: { $0.key < $1.key }) {
            Output.say(
                "rhumb: \(id): \(AmountText.count(count, "tile")) outside the bounds declared by its archive "
                    + "are not installed; correct its bounds and publish it again")
        }
        return outcome.outside.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }

    private func report(_ outcome: CatalogPublisher.Outcome) throws {
        let published = outcome.published.map { "published \(edition($0, outcome))" }
        let unchanged =
            outcome.unchanged.isEmpty ? [] : ["unchanged: \(outcome.unchanged.joined(separator: ", "))"]
        let lines =
            published + unchanged + [
                "catalogue \(outcome.catalog.id): \(AmountText.count(outcome.catalog.packages.count, "package"))"
                    + (outcome.catalog.isSigned ? ", signed" : "")
                    + (outcome.catalog.expires.map { " until \($0)" } ?? "")
            ]
        let json: JSON = [
            "state": outcome.published.isEmpty ? "unchanged" : "published",
            "catalog": .string(outcome.catalog.id), "packages": .integer(outcome.catalog.packages.count),
            "published": .array(outcome.published.map { .string($0) }),
            "unchanged": .array(outcome.unchanged.map { .string($0) }),
            "outside": .integer(outcome.outside.values.reduce(0, +)),
            "isSigned": .bool(outcome.catalog.isSigned), "expires": .text(outcome.catalog.expires),
        ]
        try invocation.print(lines, json)
    }

    /// Returns a package with its edition and size, such as "finland 2026.47, 12 MB".
    private func edition(_ id: String, _ outcome: CatalogPublisher.Outcome) -> String {
        guard let edition = outcome.catalog.packages.first(where: { $0.id == id })?.edition else { return id }
        return "\(id) \(edition.version), \(AmountText.bytes(edition.bytes))"
    }
}
