internal import RhumbBase

/// The commands of the kitty graphics protocol: `ESC _ G keys ; data ESC \`.
public enum KittyGraphics {
    /// The ids of Rhumb's images. They have 24 bits, so that a text colour can hold them.
    public static let ids: ClosedRange<UInt32> = 5_390_000...5_390_999
    /// The depth of Rhumb's images: below the backgrounds of cells, so that text with a background covers
    /// them. No other program should use the same number, because a whole depth can be deleted at once.
    public static let depth = -1_380_470_082
    /// The longest data of one command, in base64.
    private static let chunk = 4096

    /// A query with an image of one pixel. The terminal accepts it, reports an error, or ignores it.
    public static let question = "\u{1B}_Gi=\(ids.upperBound),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"

    /// The command that deletes every image of Rhumb on the screen, whatever its id. It needs no other state,
    /// so that a signal handler can send it.
    public static let deleteAll = "\u{1B}_Ga=d,d=Z,z=\(depth),q=2\u{1B}\\"

    /// Returns the commands that store a PNG under an id without showing it.
    public static func store(_ id: UInt32, png: [UInt8]) -> [UInt8] { send(png, "a=t,f=100,i=\(id),") }

    /// Returns the commands that show a PNG at the cursor, which then moves below it.
    public static func show(png: [UInt8]) -> [UInt8] { send(png, "a=T,f=100,") }

    private static func send(_ png: [UInt8], _ command: String) -> [UInt8] {
        let data = Base64.bytes(png)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + data.count / chunk * 12 + 64)
        for start in stride(from: 0, to: max(data.count, 1), by: chunk) {
            let end = min(start + chunk, data.count)
            let keys = (start == 0 ? command : "") + "q=2,"
            bytes += "\u{1B}_G\(keys)m=\(end < data.count ? 1 : 0);".utf8
            bytes += data[start..<end]
            bytes += "\u{1B}\\".utf8
        }
        return bytes
    }

    /// The position of an image's part on the screen.
    public struct Placement: Equatable, Sendable {
        /// The cell of the upper left corner, from 0.
        public var row: Int, column: Int
        /// The offset of the corner within the cell, in pixels.
        public var x = 0, y = 0
        /// The shown part of the image, in pixels; all of it if the width is 0.
        public var left = 0, top = 0, width = 0, height = 0
        /// The number of cells to scale the part to; 0 for its own size.
        public var columns = 0, rows = 0

        /// Creates a placement of a whole image.
        public init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
    }

    /// Returns the command that shows an image at the cursor, or moves it there. It reports only errors.
    public static func place(_ id: UInt32, _ placement: Placement) -> [UInt8] {
        let numbers = [
            ("x", placement.left), ("y", placement.top), ("w", placement.width), ("h", placement.height),
            ("X", placement.x), ("Y", placement.y), ("c", placement.columns), ("r", placement.rows),
        ]
        let keys = numbers.filter { $0.1 != 0 }.map { ",\($0.0)=\($0.1)" }.joined()
        return Array("\u{1B}_Ga=p,i=\(id),p=1\(keys),z=\(depth),C=1,q=1\u{1B}\\".utf8)
    }

    /// Returns the command that hides an image but keeps it stored.
    public static func hide(_ id: UInt32) -> [UInt8] { Array("\u{1B}_Ga=d,d=i,i=\(id),q=2\u{1B}\\".utf8) }

    /// Returns the command that deletes an image.
    public static func delete(_ id: UInt32) -> [UInt8] { Array("\u{1B}_Ga=d,d=I,i=\(id),q=2\u{1B}\\".utf8) }
}
