internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The text of `rhumb update schedule`: a systemd timer and a cron line.
struct UpdateSchedule {
    /// The maximum size of an update in bytes; nil for no limit.
    let limit: Int?

    /// The command with its conditions.
    private var command: String {
        let size = limit.map { " --max-bytes \($0)" } ?? ""
        return "\(Self.program) update apply --if-unmetered --if-idle\(size) --quiet"
    }

    /// The path of the running program.
    private static var program: String { Files.real("/proc/self/exe").shellQuoted }

    /// The units and the cron line, with comments that say where they belong.
    var text: String {
        """
        # ~/.config/systemd/user/rhumb-update.service
        [Unit]
        Description=Update the maps of Rhumb
        Wants=network-online.target
        After=network-online.target

        [Service]
        Type=oneshot
        ExecStart=\(command.replacing("%", with: "%%"))
        SuccessExitStatus=3
        Nice=19
        IOSchedulingClass=idle

        # ~/.config/systemd/user/rhumb-update.timer
        # Start it with: systemctl --user enable --now rhumb-update.timer
        [Unit]
        Description=Update the maps of Rhumb every night

        [Timer]
        OnCalendar=*-*-* 03:00
        RandomizedDelaySec=2h
        Persistent=true

        [Install]
        WantedBy=timers.target

        # Or, with crontab -e:
        17 3 * * * \(command.replacing("%", with: "\\%"))

        """
    }
}

extension Invocation {
    /// The reason why an update must wait, by its conditions; nil for none.
    var reasonToWait: String? {
        if self[.ifUnmetered], self[.metered] || NetworkManager.isMetered {
            return "the connection is metered"
        }
        if self[.ifIdle], Processors.areBusy { return "the computer is busy" }
        return nil
    }

    /// Reports that an update is not started.
    /// - Returns: The exit status.
    func postpone(_ reason: String) throws(Notice.Problem) -> Int32 {
        try print(
            ["Update postponed: \(reason)"], ["state": "postponed", "message": .string(reason)])
        return ExitStatus.gaps
    }
}

/// The processors of this computer.
private enum Processors {
    /// True if at least half of them are busy, by the mean of the last minute.
    static var areBusy: Bool {
        var load = 0.0
        return getloadavg(&load, 1) == 1 && load > Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))) / 2
    }
}

/// The service that manages the connections of most desktops.
private enum NetworkManager {
    /// True if it runs and considers the connection metered.
    static var isMetered: Bool {
        let command =
            "busctl get-property org.freedesktop.NetworkManager /org/freedesktop/NetworkManager "
            + "org.freedesktop.NetworkManager Metered 2>/dev/null"
        guard let pipe = popen(command, "re") else { return false }
        defer { pclose(pipe) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), pipe) != nil else { return false }
        // 1 is yes, and 3 a guess of yes.
        let answer = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return ["u 1", "u 3"].contains(answer.trimmed)
    }
}
