internal import Glibc

/// libchafa, which converts pictures to cells, for comparison. It is loaded at run time, so that nothing else
/// requires it.
struct Chafa {
    /// Bits of its symbol tags (`ChafaSymbolTags`): a space, and the measured sets.
    enum Tags {
        static let half: Int32 = 1 | 1 << 9
        static let quadrant: Int32 = 1 | 1 << 7 | 1 << 8 | 1 << 9
        static let sextant: Int32 = 1 | 1 << 22
    }

    private typealias Make = @convention(c) () -> OpaquePointer?
    private typealias Pair = @convention(c) (OpaquePointer?, OpaquePointer?) -> Void
    private typealias Number = @convention(c) (OpaquePointer?, Int32) -> Void
    private typealias Share = @convention(c) (OpaquePointer?, Float) -> Void
    private typealias Size = @convention(c) (OpaquePointer?, Int32, Int32) -> Void
    private typealias Canvas = @convention(c) (OpaquePointer?) -> OpaquePointer?
    private typealias Print =
        @convention(c) (
            OpaquePointer?, OpaquePointer?
        ) -> UnsafePointer<UInt>?
    private typealias Draw =
        @convention(c) (
            OpaquePointer?, Int32, UnsafePointer<UInt8>?, Int32, Int32, Int32
        ) -> Void

    private let library: UnsafeMutableRawPointer

    /// Returns nil if libchafa is not installed.
    init?() {
        guard let opened = dlopen("libchafa.so.0", RTLD_NOW) else { return nil }
        library = opened
        guard let threads = function("chafa_set_n_threads", (@convention(c) (Int32) -> Void).self) else {
            return nil
        }
        threads(1)
    }

    /// Returns a closure that draws an RGBA picture on one thread; nil if the library lacks a function.
    func drawing(
        _ pixels: [UInt8], width: Int, height: Int, columns: Int, rows: Int, tags: Int32, work: Float
    ) -> (() -> Void)? {
        canvas(columns: columns, rows: rows, tags: tags, work: work).map { draw, canvas in
            let unassociatedRGBA: Int32 = 4
            return {
                draw(canvas, unassociatedRGBA, pixels, Int32(width), Int32(height), Int32(width * 4))
            }
        }
    }

    /// Returns the number of bytes printed for an RGBA picture; nil if the library lacks a function.
    func printedBytes(
        _ pixels: [UInt8], width: Int, height: Int, columns: Int, rows: Int, tags: Int32
    ) -> Int? {
        guard let (draw, canvas) = canvas(columns: columns, rows: rows, tags: tags, work: 1),
            let print = function("chafa_canvas_print", Print.self)
        else { return nil }
        draw(canvas, 4, pixels, Int32(width), Int32(height), Int32(width * 4))
        // A GString: its text pointer, followed by its length.
        return print(canvas, nil).map { Int($0[1]) }
    }

    private func canvas(
        columns: Int, rows: Int, tags: Int32, work: Float
    ) -> (Draw, OpaquePointer?)? {
        guard let makeMap = function("chafa_symbol_map_new", Make.self),
            let addTags = function("chafa_symbol_map_add_by_tags", Number.self),
            let makeConfig = function("chafa_canvas_config_new", Make.self),
            let setSize = function("chafa_canvas_config_set_geometry", Size.self),
            let setMap = function("chafa_canvas_config_set_symbol_map", Pair.self),
            let setWork = function("chafa_canvas_config_set_work_factor", Share.self),
            let makeCanvas = function("chafa_canvas_new", Canvas.self),
            let draw = function("chafa_canvas_draw_all_pixels", Draw.self)
        else { return nil }
        let map = makeMap(), config = makeConfig()
        addTags(map, tags)
        setSize(config, Int32(columns), Int32(rows))
        setMap(config, map)
        setWork(config, work)
        return (draw, makeCanvas(config))
    }

    private func function<Function>(_ name: String, _: Function.Type) -> Function? {
        dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
    }
}
