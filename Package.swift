// swift-tools-version: 6.1
import PackageDescription

// Rings, innermost first. Arrows point inward only; `make lint` and CI check it with
// `--explicit-target-dependency-import-check error`.

let cLibraries: [Target] = [
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CDeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CLinux"),
    // Loads Cairo beside what else is to be done at the start; its headers come with libcairo2-dev.
    .target(name: "CCairo"),
    // Loads libspng for the first PNG; its headers come with libspng-dev.
    .target(name: "CSPNG"),
    // Loads libcurl when a server is asked for the first time; its headers come with libcurl4-openssl-dev.
    .target(name: "CCurl"),
    // Loads OpenSSL's libcrypto for the first signature.
    .target(name: "CCrypto"),
    // Loads libbrotlidec and libzstd for the first data that needs them.
    .target(name: "CDecompression"),
    // Loads Expat for the first XML; its headers come with libexpat1-dev.
    .target(name: "CExpat"),
    // Loads GNU libmicrohttpd when a server is started; its headers come with libmicrohttpd-dev.
    .target(name: "CMicroHTTP"),
    .target(name: "CManual", cSettings: [.headerSearchPath("../../Assets")]),
    .target(name: "CDefaults", cSettings: [.headerSearchPath("../../Assets")]),
    .target(name: "CAssets", cSettings: [.headerSearchPath("../../Assets")]),
]

let coreModules: [Target.Dependency] = [
    "RhumbServices", "RhumbOverlays", "RhumbVector", "RhumbCells", "RhumbWeb", "RhumbGeo", "RhumbBase",
]
// Optimised code contains code of the modules below its own. A target is rebuilt after a change of that code only if
// it names these modules here.
let core: [Target.Dependency] = ["RhumbCore"] + coreModules
let outerModules: [Target.Dependency] = [
    "RhumbOffline", "RhumbOpening", "RhumbStore", "RhumbHTTP", "RhumbDrawing", "RhumbEngine",
]

// Modules whose loops run for each pixel, vertex or byte are optimised in every build: without that, the tests take
// half as long again.
let hot: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

// Modules whose code no other module inlines are compiled file by file on all cores. A change within a function then takes
// 3 s instead of 75, a new declaration up to 60. Frames are as fast as with whole modules. The compiler warns that batches
// ignore -num-threads, which the package manager passes in any case.
let byFile = ["-no-whole-module-optimization", "-incremental", "-enable-batch-mode"]
let outer: [SwiftSetting] = [.unsafeFlags(byFile, .when(configuration: .release))]
// Without loops for each pixel, vertex or byte: optimised for size, which takes an eighth less time.
let cool: [SwiftSetting] = [.unsafeFlags(["-Osize"] + byFile, .when(configuration: .release))]
// Commands and the program's loop take under 1 % of a frame. Without Swift's own optimiser, they are compiled in a third
// of the time.
let cold: [SwiftSetting] = [
    .unsafeFlags(["-Xfrontend", "-disable-sil-perf-optzns"] + byFile, .when(configuration: .release))
]

let library: [Target] = [
    .target(name: "RhumbBase", dependencies: ["CExpat"], swiftSettings: hot),
    .target(name: "RhumbGeo", dependencies: ["RhumbBase"], swiftSettings: hot),
    .target(name: "RhumbWeb", dependencies: ["RhumbGeo", "RhumbBase"]),
    .target(name: "RhumbCells", dependencies: ["RhumbGeo", "RhumbBase"], swiftSettings: hot),
    .target(
        name: "RhumbVector", dependencies: ["RhumbCells", "RhumbWeb", "RhumbGeo", "RhumbBase"],
        swiftSettings: hot),
    .target(
        name: "RhumbOverlays",
        dependencies: ["RhumbVector", "RhumbCells", "RhumbWeb", "RhumbGeo", "RhumbBase"]),
    .target(
        name: "RhumbServices",
        dependencies: ["RhumbVector", "RhumbCells", "RhumbWeb", "RhumbGeo", "RhumbBase", "CDefaults"]),
    // The seven modules above behind one name. Everything outside the core imports this one.
    .target(name: "RhumbCore", dependencies: coreModules),
    .target(name: "RhumbEngine", dependencies: core),
    .target(
        name: "RhumbStore",
        dependencies: ["RhumbEngine", "CCrypto", "CDecompression", "CDeflate", "CLinux", "CSQLite", "CZlib"]
            + core),
    .target(name: "RhumbHTTP", dependencies: ["RhumbEngine", "CCrypto", "CCurl", "CZlib"] + core),
    .target(name: "RhumbDemo", dependencies: ["RhumbDrawing", "RhumbEngine", "CLinux"] + core),
    .target(
        name: "RhumbDrawing",
        dependencies: ["RhumbEngine", "CCairo", "CDeflate", "CSPNG", "CTurboJPEG", "CWebP", "CZlib"] + core,
        swiftSettings: hot),
    .target(
        name: "RhumbOpening",
        dependencies: ["RhumbStore", "RhumbHTTP", "RhumbDrawing", "RhumbEngine", "CDefaults", "CLinux"]
            + core,
        swiftSettings: cool),
    .target(
        name: "RhumbOffline",
        dependencies: [
            "RhumbOpening", "RhumbStore", "RhumbHTTP", "RhumbDrawing", "RhumbEngine", "CCrypto", "CDefaults",
            "CLinux",
        ] + core,
        swiftSettings: cool),
    .target(
        name: "Rhumb", dependencies: ["CDefaults", "CLinux"] + outerModules + core, swiftSettings: outer),
]

let program: [Target] = [
    .target(name: "RhumbManual", dependencies: ["CManual"] + core),
    .target(
        name: "RhumbBrowser", dependencies: ["RhumbManual", "RhumbEngine", "CDefaults"] + core,
        swiftSettings: outer),
    .target(name: "RhumbCommandLine", dependencies: ["RhumbManual"] + core, swiftSettings: cool),
    .target(
        name: "RhumbServer",
        dependencies: ["RhumbStore", "RhumbDrawing", "RhumbEngine", "CDefaults", "CLinux", "CMicroHTTP"]
            + core, swiftSettings: outer),
    .executableTarget(name: "RhumbDemoTraffic", dependencies: ["RhumbDemo"]),
    .target(name: "RhumbTerminal", dependencies: ["CNcurses", "CLinux"] + core),
    .executableTarget(
        name: "RhumbMain",
        dependencies: [
            "Rhumb", "RhumbBrowser", "RhumbServer", "RhumbTerminal", "RhumbCommandLine", "RhumbManual",
            "CAssets", "CLinux",
        ] + outerModules + core,
        swiftSettings: cold),
]

let tests: [Target] = [
    .target(
        name: "RhumbTestSupport",
        dependencies: ["Rhumb", "RhumbOffline", "RhumbStore", "RhumbEngine", "RhumbCore", "CLinux"],
        path: "Tests/RhumbTestSupport"),
    .executableTarget(
        name: "RhumbBench",
        dependencies: [
            "RhumbBrowser", "RhumbTerminal", "RhumbDemo", "Rhumb", "RhumbTestSupport",
        ] + outerModules + core,
        path: "Tests/RhumbBench"),
    .executableTarget(
        name: "TerminalFixture", dependencies: ["RhumbTerminal", "RhumbCore"],
        path: "Tests/TerminalFixture"),
    .executableTarget(
        name: "CacheFixture", dependencies: ["RhumbStore", "RhumbEngine", "RhumbCore", "RhumbTestSupport"],
        path: "Tests/CacheFixture"),
    .executableTarget(
        name: "FuzzFixture",
        dependencies: [
            "RhumbBrowser", "RhumbCommandLine", "RhumbTerminal", "Rhumb", "RhumbOpening", "RhumbServer",
            "RhumbStore", "RhumbTestSupport",
        ],
        path: "Tests/FuzzFixture"),
    .executableTarget(
        name: "TutorialFixture", dependencies: ["Rhumb", "RhumbBrowser"], path: "Tests/TutorialFixture"),
    .testTarget(
        name: "RhumbTutorialTests",
        dependencies: ["RhumbDrawing", "RhumbCore", "RhumbTestSupport", "TutorialFixture"]),
    .target(name: "CCrashRecorder", path: "Tests/CCrashRecorder"),
    .target(name: "CSimulation", path: "Tests/CSimulation"),
    // No test depends on it, because it replaces functions of the C library.
    .executableTarget(
        name: "RhumbSimulator",
        dependencies: ["CSimulation", "RhumbTestSupport"] + outerModules + core,
        path: "Tests/RhumbSimulator", swiftSettings: hot,
        linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
    .target(name: "CAllocations", path: "Tests/CAllocations"),
    // No test depends on it, for the same reason.
    .executableTarget(
        name: "AllocationFixture",
        dependencies: [
            "CAllocations", "RhumbBrowser", "RhumbTerminal", "Rhumb", "RhumbTestSupport",
        ] + outerModules + core,
        path: "Tests/AllocationFixture"),
    .testTarget(name: "RhumbSimulationTests", dependencies: ["RhumbTestSupport"]),
    .testTarget(name: "RhumbBaseTests", dependencies: ["RhumbBase", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(name: "RhumbGeoTests", dependencies: ["RhumbGeo", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(name: "RhumbWebTests", dependencies: ["RhumbWeb", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(name: "RhumbCellsTests", dependencies: ["RhumbCells", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(name: "RhumbVectorTests", dependencies: ["RhumbVector", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(
        name: "RhumbOverlaysTests", dependencies: ["RhumbOverlays", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(
        name: "RhumbServicesTests", dependencies: ["RhumbServices", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(name: "RhumbEngineTests", dependencies: ["RhumbEngine", "RhumbTestSupport"]),
    .testTarget(
        name: "RhumbStoreTests",
        dependencies: ["RhumbStore", "RhumbEngine", "RhumbCore", "RhumbTestSupport", "CacheFixture"]),
    .testTarget(
        name: "RhumbTests",
        dependencies: ["Rhumb", "RhumbOffline", "RhumbOpening", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(
        name: "RhumbHTTPTests",
        dependencies: [
            "Rhumb", "RhumbOffline", "RhumbOpening", "RhumbHTTP", "RhumbEngine", "RhumbCore", "RhumbStore",
            "RhumbDrawing", "RhumbTestSupport",
        ]),
    .testTarget(
        name: "RhumbDrawingTests",
        dependencies: ["RhumbDrawing", "RhumbStore", "RhumbEngine", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(
        name: "RhumbRegionTests",
        dependencies: [
            "Rhumb", "RhumbOffline", "RhumbOpening", "RhumbHTTP", "RhumbEngine", "RhumbCore", "RhumbStore",
            "RhumbDrawing",
            "RhumbTestSupport", "RhumbMain",
        ]),
    .testTarget(
        name: "RhumbCommandLineTests",
        dependencies: ["RhumbCommandLine", "RhumbManual", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(
        name: "RhumbDemoTests",
        dependencies: [
            "RhumbDemo", "RhumbDemoTraffic", "Rhumb", "RhumbOpening", "RhumbStore", "RhumbHTTP",
            "RhumbDrawing", "RhumbEngine",
            "RhumbCore",
            "RhumbTestSupport",
        ]),
    .testTarget(
        name: "RhumbMainTests",
        dependencies: [
            "RhumbMain", "RhumbCommandLine", "RhumbManual", "RhumbBrowser", "Rhumb", "RhumbOffline",
            "RhumbCore",
            "RhumbTestSupport",
        ]),
    .testTarget(
        name: "RhumbServerTests",
        dependencies: ["RhumbServer", "RhumbStore", "RhumbEngine", "RhumbCore", "RhumbTestSupport"]),
    .testTarget(name: "RhumbFuzzTests", dependencies: ["RhumbTestSupport", "FuzzFixture"]),
    .testTarget(
        name: "RhumbBrowserTests",
        dependencies: [
            "RhumbBrowser", "RhumbDrawing", "RhumbStore", "RhumbEngine", "RhumbCore", "RhumbTestSupport",
        ]),
    .testTarget(
        name: "RhumbTerminalTests",
        dependencies: ["RhumbTerminal", "RhumbCore", "RhumbTestSupport", "TerminalFixture"]),
    .testTarget(
        name: "RhumbJourneyTests",
        dependencies: [
            "RhumbTestSupport", "RhumbCore", "RhumbDemo", "RhumbDrawing", "RhumbMain", "RhumbManual",
        ]),
]

let package = Package(
    name: "rhumb",
    products: [
        .library(name: "Rhumb", targets: ["Rhumb"]),
        .library(name: "RhumbBrowser", targets: ["RhumbBrowser"]),
        .executable(name: "rhumb", targets: ["RhumbMain"]),
        // Preloaded into programs by the tests.
        .library(name: "CrashRecorder", type: .dynamic, targets: ["CCrashRecorder"]),
    ],
    targets: cLibraries + library + program + tests,
    swiftLanguageModes: [.v6]
)

for target in package.targets
where target.type != .system && !["CAssets", "CDefaults", "CManual"].contains(target.name) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
