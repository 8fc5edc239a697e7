internal import Rhumb
internal import RhumbCommandLine

/// `rhumb source features`: lists the features and their settings.
struct FeaturesCommand {
    let invocation: Invocation

    func run() throws -> Int32 {
        let configuration = try invocation.layerConfiguration()
        if invocation[.json] {
            try invocation.print(json(configuration))
        } else {
            let rows = Feature.all.map { feature in
                [
                    feature.name, mark(configuration.enabledFeatures.contains(feature)),
                    mark(configuration.implicitlyPrefetchedFeatures.contains(feature)),
                    mark(configuration.passThroughFeatures.contains(feature)), feature.provision,
                ]
            }
            let table = TextTable(
                ["feature", "enabled", "prefetched", "used offline", "contents"], leading: 5, rows)
            let beyond = LayerConfiguration.enabledBeyondHERE.sorted().map(\.name).joined(separator: ", ")
            let note = "Enabled by default here, but not in HERE's SDK: \(beyond)"
            try Output.print((table.lines + ["", note]).joined(separator: "\n") + "\n")
        }
        return ExitStatus.done
    }

    private func mark(_ isListed: Bool) -> String { isListed ? "yes" : "-" }

    private func json(_ configuration: LayerConfiguration) -> JSON {
        .array(
            Feature.all.map { feature in
                [
                    "name": .string(feature.name),
                    "enabled": .bool(configuration.enabledFeatures.contains(feature)),
                    "prefetched": .bool(configuration.implicitlyPrefetchedFeatures.contains(feature)),
                    "passThrough": .bool(configuration.passThroughFeatures.contains(feature)),
                    "provided": .bool(feature.isProvided), "selects": .string(feature.provision),
                ]
            })
    }
}
