internal import Glibc

/// Tests that take minutes do a little in the normal run, and all of it where RHUMB_SOAK is set.
public enum Soak {
    public static let isOn = getenv("RHUMB_SOAK") != nil
}
