internal import CLinux
internal import Glibc
internal import RhumbCore

/// The settings of the C library for returning memory to the system.
enum Memory {
    /// Maps the rasters of tiles separately, so that their memory is returned as soon as they are released,
    /// and lets the drawing threads share heaps. The grids of a frame stay in the heap, because their size is
    /// nearly constant.
    static func prepare() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, 768 << 10)
        mallopt(M_TRIM_THRESHOLD, 2 << 20)
        makeRoom()
    }

    /// Reserves some hundred pages of the heap that the threads share. It would otherwise grow by single
    /// pages, which stops all threads briefly each time. Reserved pages use no memory before they are
    /// written.
    private static func makeRoom() {
        SystemThread.detach {
            let blocks = (0..<3).map { _ in malloc(600 << 10) }
            for block in blocks { free(block) }
        }
    }
}
