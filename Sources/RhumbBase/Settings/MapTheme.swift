/// The light or the dark theme of a map.
public enum MapTheme: String, CaseIterable, Sendable { case day, night }
