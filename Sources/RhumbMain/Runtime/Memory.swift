internal import CLinux
internal import Glibc

/// How the C library gives memory back to the system.
enum Memory {
    /// Pictures of tiles are mapped by themselves, so that what they took is free once they are gone,
    /// and the threads that draw them share their heaps. The grids of a frame are not: they come and
    /// go with each, and the heap keeps as much.
    static func prepare() {
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, 768 << 10)
        mallopt(M_TRIM_THRESHOLD, 2 << 20)
        makeRoom()
    }

    /// The heap that threads share grows by single pages, which stops all of them for a moment each time: it
    /// begins with room for some hundreds, which take no memory before they are used.
    private static func makeRoom() {
        var thread = pthread_t()
        let outcome = pthread_create(
            &thread, nil,
            { _ in
                let blocks = (0..<3).map { _ in malloc(600 << 10) }
                for block in blocks { free(block) }
                return nil
            }, nil)
        if outcome == 0 { pthread_detach(thread) }
    }
}
