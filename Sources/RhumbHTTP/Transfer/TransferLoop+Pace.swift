internal import CCurl

/// The shared rate of all downloads.
extension TransferLoop {
    /// Pauses a download whenever the rate is used up.
    func pace(_ transfer: Transfer) {
        guard options.downloadRate != nil, transfer.isDownload else {
            transfer.mayReceive = nil
            return
        }
        transfer.mayReceive = { [unowned self, unowned transfer] count in
            guard transfer.isDownload else { return true }
            if queue.receive(transfer.number, bytes: transfer.received + count, now: now) { return true }
            paused.append(transfer.number)
            return false
        }
    }

    /// Resumes paused downloads while the rate allows, the longest paused first.
    func resumeDownloads() {
        var waiting = paused[...]
        paused = []
        while let number = waiting.first, queue.downloadWait(now: now) <= 0 {
            waiting.removeFirst()
            if let handle = transfers[number]?.handle { rhumb_curl_easy_resume(handle.pointer) }
        }
        paused.insert(contentsOf: waiting, at: 0)
    }

    /// Resumes a paused transfer at once.
    func resume(_ transfer: Transfer) {
        guard let handle = transfer.handle, paused.contains(transfer.number) else { return }
        paused.removeAll { $0 == transfer.number }
        rhumb_curl_easy_resume(handle.pointer)
    }
}
