internal import CLinux
internal import Glibc

/// The settings of the C library for returning memory to the system.
enum Memory {
    /// Maps the pictures of tiles separately, so that their memory is free once they are gone, and lets the
    /// threads that draw them share heaps. The grids of a frame stay in the heap, which is about constant.
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
