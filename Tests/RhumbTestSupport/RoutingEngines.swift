internal import Glibc
internal import RhumbCore

/// Real routing engines for Monaco on free ports of 127.0.0.1, if they are installed. The executables and an
/// extract are in the folder named by RHUMB_ROUTING_ENGINES, or where CI puts them.
public enum RoutingEngines {
    /// The folder of the engines; nil if none are installed.
    public static let folder: String? = {
        let named = getenv("RHUMB_ROUTING_ENGINES").map { String(cString: $0) }
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return [named, "/\(root)/.build/routing"].compactMap(\.self).first {
            access("\($0)/monaco.osm.pbf", R_OK) == 0
        }
    }()

    /// True if OSRM is installed for tests.
    public static var hasOSRM: Bool {
        folder.map { access("\($0)/osrm/bin/osrm-routed", X_OK) == 0 } ?? false
    }
    /// True if Valhalla is installed for tests.
    public static var hasValhalla: Bool {
        folder.map { access("\($0)/valhalla/bin/valhalla_service", X_OK) == 0 } ?? false
    }

    /// The OSRM engine for cars; nil if it isn't installed or doesn't start.
    public static let osrm = RoutingEngine.osrm("car")
    /// The OSRM engines for bicycles and on foot.
    public static let osrmBicycle = RoutingEngine.osrm("bicycle")
    public static let osrmFoot = RoutingEngine.osrm("foot")
    /// The Valhalla engine; nil if it isn't installed or doesn't start.
    public static let valhalla = RoutingEngine.valhalla(isFlat: false)
    /// The Valhalla engine without heights, whose routes do not avoid the slopes of the other one. They rise
    /// by 9 % to the east.
    public static let flatValhalla = RoutingEngine.valhalla(isFlat: true)
}

/// An engine that runs until the tests end.
public final class RoutingEngine: Sendable {
    public let port: UInt16
    private let folder: TemporaryFolder
    private let process: pid_t

    public var url: String { "http://127.0.0.1:\(port)" }

    private init(_ folder: TemporaryFolder, _ port: UInt16, _ process: pid_t) {
        self.folder = folder
        self.port = port
        self.process = process
        // A static value is never deallocated, so the exit handler kills its process.
        RoutingEngine.started.append(process)
    }

    private nonisolated(unsafe) static var started: [pid_t] = {
        atexit { for process in RoutingEngine.started { kill(process, SIGKILL) } }
        return []
    }()

    fileprivate static func osrm(_ profile: String) -> RoutingEngine? {
        guard RoutingEngines.hasOSRM, let place = RoutingEngines.folder, let port = freePort() else {
            return nil
        }
        let folder = TemporaryFolder(), bin = "\(place)/osrm/bin", data = folder.path + "/monaco.osrm"
        symlink("\(place)/monaco.osm.pbf", folder.path + "/monaco.osm.pbf")
        let steps = [
            [
                "\(bin)/osrm-extract", "-t", "1", "-p", "\(place)/osrm/share/profiles/\(profile).lua",
                folder.path + "/monaco.osm.pbf",
            ],
            ["\(bin)/osrm-partition", "-t", "1", data], ["\(bin)/osrm-customize", "-t", "1", data],
        ]
        guard steps.allSatisfy({ finish($0, folder.path) }) else { return nil }
        return begin(
            ["\(bin)/osrm-routed", "-a", "mld", "-t", "1", "-i", "127.0.0.1", "-p", "\(port)", data], folder,
            port)
    }

    fileprivate static func valhalla(isFlat: Bool) -> RoutingEngine? {
        guard RoutingEngines.hasValhalla, let place = RoutingEngines.folder, let port = freePort() else {
            return nil
        }
        let folder = TemporaryFolder(), bin = "\(place)/valhalla/bin",
            configuration = folder.path + "/valhalla.json"
        mkdir(folder.path + "/tiles", 0o755)
        if !isFlat { raiseGround(in: folder.path) }
        folder.write(Array(ValhallaConfiguration.json(folder.path, port).text.utf8), to: "valhalla.json")
        guard
            finish(
                ["\(bin)/valhalla_build_tiles", "-c", configuration, "\(place)/monaco.osm.pbf"], folder.path)
        else { return nil }
        return begin(["\(bin)/valhalla_service", configuration, "1"], folder, port)
    }

    /// Writes the elevation of Monaco's square degree in the format of SRTM, which rises by two metres per
    /// second of longitude.
    private static func raiseGround(in folder: String) {
        mkdir(folder + "/elevation", 0o755)
        mkdir(folder + "/elevation/N43", 0o755)
        guard let file = fopen(folder + "/elevation/N43/N43E007.hgt", "wb") else { return }
        let row = (0..<3601).flatMap {
            [UInt8(truncatingIfNeeded: ($0 * 2) >> 8), UInt8(truncatingIfNeeded: $0 * 2)]
        }
        for _ in 0..<3601 { fwrite(row, 1, row.count, file) }
        fclose(file)
    }

    // MARK: Processes

    private static func freePort() -> UInt16? {
        guard let listener = try? Socket.listen(on: 0) else { return nil }
        defer { Socket.close(listener) }
        return Socket.port(of: listener)
    }

    private static func begin(_ words: [String], _ folder: TemporaryFolder, _ port: UInt16) -> RoutingEngine?
    {
        guard let process = spawn(words, folder.path) else { return nil }
        let engine = RoutingEngine(folder, port, process)
        return Socket.waitForListener(port) ? engine : nil
    }

    private static func finish(_ words: [String], _ folder: String) -> Bool {
        guard let process = spawn(words, folder) else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status == 0
    }

    private static func spawn(_ words: [String], _ folder: String) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(
                &actions, stream, "\(folder)/log", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        return posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0 ? process : nil
    }
}

/// The complete configuration that Valhalla needs.
enum ValhallaConfiguration {
    static func json(_ folder: String, _ port: UInt16) -> JSON {
        func proxy(_ name: String) -> JSON { ["proxy": .string("ipc://\(folder)/\(name)")] }
        return [
            "mjolnir": [
                "tile_dir": .string(folder + "/tiles"), "tile_extract": "", "hierarchy": true,
                "shortcuts": true,
                "max_cache_size": 100_000_000, "id_table_size": 13_000_000, "concurrency": 1,
            ],
            "additional_data": ["elevation": .string(folder + "/elevation")],
            "loki": [
                "actions": ["route", "isochrone", "status", "tile", "locate", "height"],
                "use_connectivity": true, "service_defaults": defaults,
                "service": proxy("loki"),
            ],
            "thor": ["service": proxy("thor")],
            "odin": [
                "service": proxy("odin"),
                "markup_formatter": ["markup_enabled": false, "phoneme_format": ""],
            ],
            "meili": ["mode": "auto", "grid": ["size": 500, "cache_size": 100_240], "default": matching],
            "httpd": [
                "service": [
                    "listen": .string("tcp://127.0.0.1:\(port)"),
                    "loopback": .string("ipc://\(folder)/loopback"),
                    "interrupt": .string("ipc://\(folder)/interrupt"), "drain_seconds": 1,
                    "shutdown_seconds": 1, "timeout_seconds": -1,
                ]
            ],
            "service_limits": limits,
        ]
    }

    private static let defaults: JSON = [
        "radius": 0, "minimum_reachability": 50, "search_cutoff": 35_000, "node_snap_tolerance": 5,
        "street_side_tolerance": 5,
        "street_side_max_distance": 1000, "heading_tolerance": 60,
        "mvt_min_zoom_road_class": [7, 7, 8, 11, 11, 12, 13, 14],
        "mvt_cache_min_zoom": 11, "mvt_max_age": "1800",
    ]

    private static let matching: JSON = [
        "sigma_z": 4.07, "gps_accuracy": 5, "beta": 3, "max_route_distance_factor": 5,
        "max_route_time_factor": 5,
        "max_search_radius": 100, "breakage_distance": 2000, "interpolation_distance": 10,
        "search_radius": 50, "geometry": false,
        "route": true, "turn_penalty_factor": 0,
    ]

    private static let limits: JSON = {
        var limits = JSONObject()
        let modes = [
            "auto", "bus", "taxi", "pedestrian", "motor_scooter", "motorcycle", "bicycle", "multimodal",
            "transit", "truck", "bikeshare",
            "auto_pedestrian",
        ]
        for mode in modes {
            limits[mode] = [
                "max_distance": 500_000.5, "max_locations": 20, "max_matrix_distance": 0.5,
                "max_matrix_location_pairs": 0,
                "min_multimodal_walking_distance": 1, "max_multimodal_walking_distance": 10_000,
            ]
        }
        limits["status"] = ["allow_verbose": false]
        limits["skadi"] = ["max_shape": 750_000, "min_resample": 10]
        limits["isochrone"] = [
            "max_contours": 4, "max_time_contour": 120, "max_distance": 25_000, "max_locations": 1,
            "max_distance_contour": 200,
        ]
        limits["trace"] = [
            "max_distance": 200_000, "max_gps_accuracy": 100, "max_search_radius": 100, "max_shape": 16_000,
            "max_alternates": 3,
            "max_alternates_shape": 100,
        ]
        limits["centroid"] = ["max_distance": 200_000, "max_locations": 5]
        for (name, limit) in numbers { limits[name] = limit }
        limits["hierarchy_limits"] = [
            "allow_modification": false, "costmatrix": upward(100_000),
            "unidirectional_astar": upward(100_000),
            "bidirectional_astar": upward(20_000),
        ]
        return .object(limits)
    }()

    private static let numbers: [(String, JSON)] = [
        ("max_exclude_locations", 50), ("max_reachability", 100), ("max_radius", 200),
        ("max_timedep_distance", 500_000),
        ("max_timedep_distance_matrix", 0), ("max_alternates", 2), ("max_exclude_polygons_length", 10_000),
        ("max_exclude_polygons_vertices", 100), ("min_linear_cost_factor", 1),
        ("max_linear_cost_edges", 50_000),
        ("max_distance_disable_hierarchy_culling", 0), ("allow_hard_exclusions", false),
    ]

    private static func upward(_ near: Int) -> JSON {
        [
            "max_allowed_up_transitions": ["1": 400, "2": 100],
            "max_expand_within_distance": ["0": 100_000_000, "1": .integer(near), "2": 5000],
        ]
    }
}
