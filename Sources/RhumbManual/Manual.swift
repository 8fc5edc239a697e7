internal import CManual

/// The manual embedded in the program, from the files of Assets/manual.
public enum Manual {
    /// The topics of the pages, in reading order. Unlike the pages, they are cheap; the table of commands
    /// needs them at each start.
    public static let topics: [String] = files.map(\.topic)

    /// All pages, in reading order.
    public static let pages: [ManualPage] = files.map { topic, text in
        ManualPage(topic: topic, markdown: String(decoding: text, as: UTF8.self))
    }

    /// Returns the page for a topic; nil if there is none.
    public static func page(_ topic: String) -> ManualPage? {
        files.first { $0.topic == topic }.map {
            ManualPage(topic: topic, markdown: String(decoding: $0.text, as: UTF8.self))
        }
    }

    /// The abbreviated hash of the commit that the program was built from; empty if unknown.
    public static var commit: String {
        let bytes = rhumb_asset_commit()
        return String(decoding: UnsafeBufferPointer(start: bytes.start, count: bytes.count), as: UTF8.self)
    }

    /// The embedded files. Each is preceded by a form feed and a line with its topic; see manual.S.
    private static var files: [(topic: String, text: Slice<UnsafeBufferPointer<UInt8>>)] {
        let bytes = rhumb_asset_manual()
        return UnsafeBufferPointer(start: bytes.start, count: bytes.count).split(separator: 0x0C).map {
            file in
            let topic = file.prefix { $0 != 0x0A }
            return (String(decoding: topic, as: UTF8.self), file.dropFirst(topic.count + 1))
        }
    }
}
