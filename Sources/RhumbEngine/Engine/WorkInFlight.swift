internal import Dispatch

/// The request of one tile.
struct TileJob {
    let key: TileKey
    let request: TileRequest
    /// True if the tile is only looked up in the stores.
    let isStoredOnly: Bool
    /// Ends the job when the layer's timeout has passed.
    var timer: Task<Void, Never>?
    /// Fetches a URL answer.
    var fetch: Task<Void, Never>?
}

/// The work in flight: the jobs, and the threads that are inside a source.
struct WorkInFlight {
    /// The maximum number of concurrent requests to the source of a layer.
    static let width = 4
    /// The maximum number of tiles of one layer that are being fetched. The fetcher decides their order.
    static let fetchWidth = 64
    /// The number of threads blocked in a source at which the layer is no longer read.
    static let stuckLimit = 4

    private(set) var jobs: [Int: TileJob] = [:]
    private var inSource: [Int: TileKey] = [:]
    private var queues: [TileLayer.ID: DispatchQueue] = [:]
    private var last = 0
    /// The last job of each layer before it was reloaded.
    private var outdated: [TileLayer.ID: Int] = [:]

    /// The tiles that are being requested.
    var keys: some Sequence<TileKey> { jobs.values.lazy.map(\.key) }

    /// Returns the layer's own queue, so that a source that blocks uses no threads of others.
    mutating func queue(of layer: TileLayer.ID) -> DispatchQueue {
        if let queue = queues[layer] { return queue }
        // Of a class of its own: libdispatch has few threads per class on Linux, and sources block them while
        // they wait for tasks of the usual class.
        let queue = DispatchQueue(
            label: "rhumb.layer.\(layer)", qos: .userInteractive, attributes: .concurrent)
        queues[layer] = queue
        return queue
    }

    /// Removes the queues of removed layers.
    mutating func forgetQueues(except present: Set<TileLayer.ID>) {
        queues = queues.filter { present.contains($0.key) }
        outdated = outdated.filter { present.contains($0.key) }
    }

    /// Marks the jobs of a reloaded layer as outdated.
    mutating func outdate(_ layer: TileLayer.ID) { outdated[layer] = last }

    func isOutdated(_ number: Int, of layer: TileLayer.ID) -> Bool { number <= outdated[layer] ?? 0 }

    func hasRoom(for key: TileKey) -> Bool {
        let layers = jobs.values.filter { $0.key.layer == key.layer }
        return layers.count { $0.fetch == nil } < Self.width && layers.count < Self.fetchWidth
            && !inSource.values.contains(key)
    }

    /// Returns true if a layer has lost as many threads as allowed.
    func isStuck(_ layer: TileLayer.ID) -> Bool {
        inSource.count { jobs[$0.key] == nil && $0.value.layer == layer } >= Self.stuckLimit
    }

    /// Returns true if a thread is blocked in the source with this tile after its job was given up.
    func isLost(_ key: TileKey) -> Bool {
        inSource.contains { $0.value == key && jobs[$0.key] == nil }
    }

    mutating func nextNumber() -> Int {
        last += 1
        return last
    }

    mutating func begin(_ job: TileJob, number: Int) {
        jobs[number] = job
        inSource[number] = job.key
    }

    mutating func setFetch(_ task: Task<Void, Never>, of number: Int) {
        jobs[number]?.fetch = task
        jobs[number]?.timer?.cancel()
    }

    /// Records that the thread of a job returned from the source.
    mutating func leaveSource(_ number: Int) { inSource[number] = nil }

    func isInSource(_ number: Int) -> Bool { inSource[number] != nil }

    /// Removes a job. Its thread may still be inside the source.
    mutating func end(_ number: Int) -> TileJob? { jobs.removeValue(forKey: number) }
}
