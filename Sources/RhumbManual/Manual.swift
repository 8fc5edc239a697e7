internal import CDefaults

/// The manual that is embedded in the program: the files of Assets/manual.
public enum Manual {
    /// All pages, in reading order.
    public static let pages: [ManualPage] = {
        let bytes = rhumb_asset_manual()
        let text = String(decoding: UnsafeBufferPointer(start: bytes.start, count: bytes.count), as: UTF8.self)
        // Before each page there is a form feed and a line with its topic; see defaults.S.
        return text.split(separator: "\u{0C}").map { page in
            let topic = page.prefix { $0 != "\n" }
            return ManualPage(topic: String(topic), markdown: String(page.dropFirst(topic.count + 1)))
        }
    }()

    /// The page of a topic, if there is one.
    public static func page(_ topic: String) -> ManualPage? { pages.first { $0.topic == topic } }
}
