internal import CMalloc

/// How the C library gives memory back to the system.
enum Memory {
    /// Pictures of tiles are mapped by themselves, so that what they took is free once they are gone,
    /// and the threads that draw them share their heaps.
    static func prepare() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, 256 << 10)
    }
}
