internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb archive tile`: extracts a tile from an archive, or prints its features.
struct TileCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        if invocation[.decode] || invocation[.layer] != nil {
            return try await TileDecoding(invocation).run()
        }
        guard let tile = invocation[.tile] else { throw UsageError("archive tile: missing Z/X/Y") }
        let file = try invocation.newOutput()
        guard file != nil || isatty(STDOUT_FILENO) != 1 else {
            throw Notice.Problem(
                "can't write tile \(tile) to a terminal, because it is binary data; "
                    + "add -o FILE, or send the output to a file or pipe")
        }
        let body = try await invocation.withArchive(invocation.operand ?? "") {
            try $0.body(of: tile)
        }
        try Output.write(body, to: file, links: invocation.linkRule)
        return ExitStatus.done
    }
}
