internal import CLinux

/// How the C library gives memory back to the system.
enum Memory {
    /// Pictures of tiles are mapped by themselves, so that what they took is free once they are gone,
    /// and the threads that draw them share their heaps. The grids of a frame are not: they come and
    /// go with each, and the heap keeps as much.
    static func prepare() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, 768 << 10)
        mallopt(M_TRIM_THRESHOLD, 2 << 20)
    }
}
