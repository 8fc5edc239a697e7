internal import Dispatch

/// One tile being asked for.
struct TileJob {
    let key: TileKey
    let request: TileRequest
    /// Ends the job when the layer's timeout has passed.
    var timer: Task<Void, Never>?
    /// Fetches a URL answer.
    var fetch: Task<Void, Never>?
}

/// What is under way: the jobs, and which of a layer's threads are inside its source.
struct WorkInFlight {
    /// Tiles of one layer that its source is asked for at the same time.
    static let width = 4
    /// Tiles of one layer that are being fetched; who goes first is the fetcher's to say.
    static let fetchWidth = 64
    /// Threads that may hang in a blocked source before the layer is asked for nothing more.
    static let stuckLimit = 4

    private(set) var jobs: [Int: TileJob] = [:]
    private var inSource: [Int: TileKey] = [:]
    private var queues: [TileLayer.ID: DispatchQueue] = [:]
    private var last = 0
    /// The last job of each layer from before it was loaded anew.
    private var outdated: [TileLayer.ID: Int] = [:]

    /// The tiles being asked for.
    var keys: some Sequence<TileKey> { jobs.values.lazy.map(\.key) }

    /// The layer's own threads, so that a source that blocks takes no one else's.
    mutating func queue(of layer: TileLayer.ID) -> DispatchQueue {
        if let queue = queues[layer] { return queue }
        let queue = DispatchQueue(label: "rhumb.layer.\(layer)", attributes: .concurrent)
        queues[layer] = queue
        return queue
    }

    /// Layers come and go; their threads go with them.
    mutating func forgetQueues(except present: Set<TileLayer.ID>) {
        queues = queues.filter { present.contains($0.key) }
        outdated = outdated.filter { present.contains($0.key) }
    }

    /// The layer is loaded anew: what its jobs bring that have begun is of no use.
    mutating func outdate(_ layer: TileLayer.ID) { outdated[layer] = last }

    func isOutdated(_ number: Int, of layer: TileLayer.ID) -> Bool { number <= outdated[layer] ?? 0 }

    func hasRoom(for key: TileKey) -> Bool {
        let layers = jobs.values.filter { $0.key.layer == key.layer }
        return layers.count { $0.fetch == nil } < Self.width && layers.count < Self.fetchWidth
            && !inSource.values.contains(key)
    }

    /// Whether all the threads that a layer may lose are lost.
    func isStuck(_ layer: TileLayer.ID) -> Bool {
        inSource.count { jobs[$0.key] == nil && $0.value.layer == layer } >= Self.stuckLimit
    }

    /// Whether a thread hangs in the source with this very tile, after its job was given up.
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

    /// The thread of a job came back from the source.
    mutating func leaveSource(_ number: Int) { inSource[number] = nil }

    func isInSource(_ number: Int) -> Bool { inSource[number] != nil }

    /// Takes a job off; its thread may still be inside the source.
    mutating func end(_ number: Int) -> TileJob? { jobs.removeValue(forKey: number) }
}
