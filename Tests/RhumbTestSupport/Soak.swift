internal import Glibc

/// A switch for tests that take minutes. They do little in a normal run, and everything if RHUMB_SOAK is set.
public enum Soak {
    public static let isOn = getenv("RHUMB_SOAK") != nil
}
