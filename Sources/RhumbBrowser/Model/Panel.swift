/// The drawer beside the map: at most one is open.
public enum Panel: Equatable, Sendable {
    /// The first row shown.
    case help(top: Int)
    /// The chosen row, counted from the top layer.
    case layers(row: Int)
    /// The chosen row of the sources that may be opened.
    case sources(row: Int)
    case here
    case cache(CachePanel)
    case download(DownloadPanel)
    case regions(RegionsPanel)
    case search(SearchPanel)
    case messages(top: Int)
}
