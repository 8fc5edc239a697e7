public import RhumbCore
public import RhumbEngine

/// TEMPORARY stand-in until the cell renderer lands.
public struct MapPainter {
    public init() {}
    public mutating func paint(_ scene: Scene, viewport: Viewport, settings: Settings, theme: Settings.Theme) -> CellGrid {
        var grid = CellGrid(columns: viewport.columns, rows: viewport.rows)
        let box = viewport.box
        let w = viewport.columns * 2, h = viewport.rows * 2
        var sub = [RGB](repeating: RGB(0x202428), count: w * h)
        let sx = (box.maxX - box.minX) / Double(w), sy = (box.maxY - box.minY) / Double(h)
        for layer in scene.layers {
            for picture in layer.pictures {
                let t = picture.tile.box, a = picture.area.box
                let x0 = max(Int(((a.minX - box.minX) / sx).rounded(.up)), 0), x1 = min(Int(((a.maxX - box.minX) / sx).rounded(.up)), w)
                let y0 = max(Int(((a.minY - box.minY) / sy).rounded(.up)), 0), y1 = min(Int(((a.maxY - box.minY) / sy).rounded(.up)), h)
                guard x0 < x1, y0 < y1 else { continue }
                let r = picture.raster
                for y in y0..<y1 {
                    let v = min(max(Int((box.minY + (Double(y) + 0.5) * sy - t.minY) / (t.maxY - t.minY) * Double(r.height)), 0), r.height - 1)
                    for x in x0..<x1 {
                        let u = min(max(Int((box.minX + (Double(x) + 0.5) * sx - t.minX) / (t.maxX - t.minX) * Double(r.width)), 0), r.width - 1)
                        let at = (v * r.width + u) * 4
                        if r.pixels[at + 3] > 127 { sub[y * w + x] = RGB(red: r.pixels[at], green: r.pixels[at + 1], blue: r.pixels[at + 2]) }
                    }
                }
            }
        }
        for row in 0..<viewport.rows { for column in 0..<viewport.columns {
            let top = sub[row * 2 * w + column * 2], bottom = sub[(row * 2 + 1) * w + column * 2]
            grid[row, column] = top == bottom ? Cell(" ", paper: .rgb(top)) : Cell("▀", ink: .rgb(top), paper: .rgb(bottom))
        } }
        return grid
    }
}
