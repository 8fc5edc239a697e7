#if RHUMB_MUTANTS
    internal import Glibc

    /// The number of the fault to plant, from the environment; nil for none.
    private let planted = getenv("RHUMB_MUTANT").flatMap { Int(String(cString: $0)) }

    /// Returns true if this run plants the fault with this number. Such a program is built only to learn
    /// whether the tests notice the fault.
    /// - Parameter number: 1 to 20 for the simulator's faults, 101 to 140 for those of the tests.
    package func mutant(_ number: Int) -> Bool { number == planted }
#else
    /// Returns false, so that the compiler removes the planted fault. Only builds with `-D RHUMB_MUTANTS`
    /// plant faults.
    /// - Parameter number: 1 to 20 for the simulator's faults, 101 to 140 for those of the tests.
    @inlinable
    @inline(__always)
    package func mutant(_ number: Int) -> Bool { false }
#endif
