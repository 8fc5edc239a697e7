import RhumbCore
import RhumbTestSupport
import Testing

/// Feeds the program's output to Ghostty's own terminal core.
@Suite(.serialized)
struct GhosttyOracleTests {
    /// Prints the state of the core after a file of output: the row, column, rows and columns of
    /// its images, unknown sequences, and the text.
    private static let script = """
        import sys
        from pyghostty import Terminal, ffi, lib
        @ffi.callback("GhosttySysDecodePngFn")
        def decode(_, allocator, data, size, out):
            head = ffi.buffer(data, size)[16:24]
            out.width, out.height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")
            out.data_len = out.width * out.height * 4
            out.data = lib.ghostty_alloc(allocator, out.data_len)
            return True
        lib.ghostty_sys_set(lib.GHOSTTY_SYS_OPT_DECODE_PNG, decode)
        columns, rows, width, height = (int(word) for word in sys.argv[2:6])
        terminal = Terminal(columns, rows)
        handle = terminal._t[0]
        limit = ffi.new("uint64_t*", 320 << 20)
        lib.ghostty_terminal_set(handle, lib.GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_STORAGE_LIMIT, limit)
        lib.ghostty_terminal_resize(handle, columns, rows, width, height)
        unknown = []
        terminal.on_unknown_sequence(lambda sequence: unknown.append(sequence.kind))
        terminal.feed(open(sys.argv[1], "rb").read())
        graphics = ffi.new("GhosttyKittyGraphics*")
        lib.ghostty_terminal_get(handle, lib.GHOSTTY_TERMINAL_DATA_KITTY_GRAPHICS, graphics)
        walk = ffi.new("GhosttyKittyGraphicsPlacementIterator*")
        lib.ghostty_kitty_graphics_placement_iterator_new(ffi.NULL, walk)
        lib.ghostty_kitty_graphics_get(
            graphics[0], lib.GHOSTTY_KITTY_GRAPHICS_DATA_PLACEMENT_ITERATOR, walk)
        number = ffi.new("uint32_t*")
        info = ffi.new("GhosttyKittyGraphicsPlacementRenderInfo*")
        info.size = ffi.sizeof(info[0])
        while lib.ghostty_kitty_graphics_placement_next(walk[0]):
            lib.ghostty_kitty_graphics_placement_get(
                walk[0], lib.GHOSTTY_KITTY_GRAPHICS_PLACEMENT_DATA_IMAGE_ID, number)
            image = lib.ghostty_kitty_graphics_image(graphics[0], number[0])
            lib.ghostty_kitty_graphics_placement_render_info(walk[0], image, handle, info)
            print("image", info.viewport_row, info.viewport_col, info.grid_rows, info.grid_cols)
        for kind in unknown:
            print("unknown", kind)
        for line in terminal.text().split("\\n"):
            print("text", line.rstrip())
        """

    /// Returns the lines of the script, by their first words.
    private func seen(_ program: PtyProgram) async -> [Substring: [String]] {
        let folder = TemporaryFolder(), grid = program.screen.grid
        let run = await PythonOracle.run(
            Self.script, folder.write(program.output, to: "output"), "\(grid.columns)", "\(grid.rows)", "8",
            "16")
        #expect(run.status == 0, "\(run.errors.suffix(400))")
        var lines: [Substring: [String]] = [:]
        for line in run.output.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            lines[words[0], default: []].append(words.count > 1 ? String(words[1]) : "")
        }
        return lines
    }

    @Test func `Ghostty understands every sequence, and shows the images without gaps until the end`()
        async throws
    {
        guard await PythonOracle.has("pyghostty") else {
            print("notice: pyghostty is not installed; the output is not judged by Ghostty")
            return
        }
        let journey = try Journey(["-z", "5", "-c", "48,12"])
        journey.program.showImages()
        try journey.program.read(within: 60) {
            $0.images?.placements.isEmpty == false && $0.text.contains("München")
        }
        try journey.type("lj")
        try journey.settle(1)
        let seen = await seen(journey.program)
        #expect(seen["unknown"] == nil)
        var covers = [Int](repeating: 0, count: 100 * 30)
        for image in seen["image"] ?? [] {
            let numbers = image.split(separator: " ").compactMap { Int($0) }
            for row in numbers[0]..<numbers[0] + numbers[2] {
                for column in numbers[1]..<numbers[1] + numbers[3] { covers[row * 100 + column] += 1 }
            }
        }
        #expect(covers[..<(100 * 28)].allSatisfy { $0 == 1 })
        let lines = journey.program.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(seen["text"] == lines.map(String.init))
        #expect(try journey.quit() == .exited(0))
        #expect(await self.seen(journey.program)["image"] == nil)
    }
}
