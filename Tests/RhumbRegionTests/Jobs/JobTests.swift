@testable import RhumbOffline
import Synchronization
import Testing

/// Tests jobs with work that a test controls.
struct JobTests {
    private struct Failure: Error, Equatable {}
    private typealias Counting = Job<Int, Int, Failure>

    /// Starts a job that counts to a limit, and pauses after each step until it is resumed.
    private func counting(to limit: Int) -> Counting {
        let job = Counting(0)
        job.start {
            for _ in 0..<limit {
                await job.waitWhilePaused()
                if let stop = job.state.stop { return (.stopped(stop), .success(job.progress)) }
                job.report { $0 += 1 }
            }
            return (.complete, .success(job.progress))
        }
        return job
    }

    @Test func `the updates end with the last progress and the ending`() async throws {
        let job = counting(to: 3)
        var updates: [JobUpdate<Int>] = []
        for await update in job.updates() { updates.append(update) }
        #expect(updates.last?.progress == 3 && updates.last?.state.phase == .ended(.complete))
        #expect(updates.map(\.progress) == updates.map(\.progress).sorted())
        #expect(try await job.value() == 3)
    }

    @Test func `a late follower receives only the last update`() async throws {
        let job = counting(to: 3)
        await job.finish()
        var updates: [JobUpdate<Int>] = []
        for await update in job.updates() { updates.append(update) }
        #expect(updates.map(\.progress) == [3])
    }

    @Test func `an ended job can't be stopped, paused or resumed`() async {
        let job = counting(to: 1)
        await job.finish()
        #expect(!job.cancel())
        job.pause()
        job.resume()
        #expect(!job.isPaused && job.state.phase == .ended(.complete))
    }

    @Test func `a paused job does nothing until it is resumed or stopped`() async throws {
        for isResumed in [true, false] {
            let job = Counting(0)
            job.pause()
            job.start {
                await job.waitWhilePaused()
                return job.state.stop.map { (.stopped($0), .failure(Failure())) } ?? (.complete, .success(1))
            }
            if isResumed { job.resume() } else { #expect(job.cancel(.interrupted)) }
            #expect(await job.finish() == (isResumed ? .success(1) : .failure(Failure())))
        }
    }

    @Test func `a pause and a stop reach the job that performs a part of the work`() async throws {
        let part = Counting(0), whole = Counting(0)
        part.start {
            while !part.isPaused, !part.isCancelled { await Task.yield() }
            await part.waitWhilePaused()
            let stop = part.state.stop ?? .superseded
            return (.stopped(stop), .failure(Failure()))
        }
        whole.start {
            let outcome = await whole.follow(part) { update in whole.report { $0 = update.progress } }
            return (.stopped(whole.state.stop ?? .superseded), outcome)
        }
        whole.pause()
        var updates = part.updates().makeAsyncIterator()
        while let update = await updates.next(), !update.state.isPaused {}
        whole.cancel(.interrupted)
        #expect(await whole.finish() == .failure(Failure()))
        #expect(part.state.phase == .ended(.stopped(.interrupted)))
    }
}
