/// Whether a map that comes by day and by night is drawn bright or dark.
public enum MapTheme: String, CaseIterable, Sendable { case day, night }
