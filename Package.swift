// swift-tools-version: 6.1
import PackageDescription

/// The language features that every Swift target of the package is written in, beside the Swift 6 mode.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "magpie",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MagpieHTTP", targets: ["MagpieHTTP"]),
        .library(name: "MagpieURLSession", targets: ["MagpieURLSession"]),
        .library(name: "MagpieImage", targets: ["MagpieImage"]),
        .library(name: "Magpie", targets: ["Magpie"]),
        .executable(name: "magpie", targets: ["MagpieCommand"]),
    ],
    traits: [
        .trait(name: "GIF", description: "Reads GIF with giflib."),
        .trait(name: "WebP", description: "Reads and writes WebP with libwebp."),
        .trait(name: "TIFF", description: "Reads and writes TIFF with libtiff."),
        .trait(name: "SVG", description: "Draws SVG with librsvg."),
        .default(enabledTraits: ["GIF", "WebP", "TIFF", "SVG"]),
    ],
    targets: [
        // Libraries of the system: a module map each and, where Swift cannot say it, a header of inline functions.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CGIF", providers: [.apt(["libgif-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
        .systemLibrary(name: "CRSVG", pkgConfig: "librsvg-2.0", providers: [.apt(["librsvg2-dev"])]),
        .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CGetopt"),
        // Error exits by setjmp, which Swift cannot express.
        .target(name: "CMagpieJPEG", dependencies: ["CJPEG"]),
        .target(name: "CMagpiePNG", dependencies: ["CPNG"]),
        // The pictures of `magpie demo`, as bytes inside the program.
        .target(name: "CDemoPictures", exclude: ["pictures"]),

        // What the libraries share below their own purposes; no products.
        .target(name: "MagpieConcurrency", swiftSettings: strict),
        .target(
            name: "MagpieStorage",
            dependencies: ["MagpieConcurrency", "CSQLite", "CXXHash"],
            swiftSettings: strict
        ),

        .target(
            name: "MagpieHTTP",
            dependencies: [
                "MagpieConcurrency", "MagpieStorage", "CCurl", "CCrypto", "CPSL", "CLinux", "CZlib", "CBrotli",
                "CZstd",
            ],
            swiftSettings: strict
        ),
        .target(name: "MagpieURLSession", dependencies: ["MagpieConcurrency", "MagpieHTTP"], swiftSettings: strict),
        .target(
            name: "MagpieImage",
            dependencies: [
                "MagpieConcurrency", "CMagpieJPEG", "CMagpiePNG", "CZlib",
                .target(name: "CGIF", condition: .when(traits: ["GIF"])),
                .target(name: "CWebP", condition: .when(traits: ["WebP"])),
                .target(name: "CTIFF", condition: .when(traits: ["TIFF"])),
                .target(name: "CRSVG", condition: .when(traits: ["SVG"])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Magpie",
            dependencies: ["MagpieConcurrency", "MagpieStorage", "MagpieHTTP", "MagpieImage", "CCrypto"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "MagpieCommand",
            dependencies: ["Magpie", "MagpieConcurrency", "MagpieStorage", "CDemoPictures", "CGetopt"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Magpie", "MagpieConcurrency", "MagpieImage", "MagpieURLSession", "MagpieTestSupport", "CCurl",
                // What the decoders are held against.
                "CMagpieJPEG", "CMagpiePNG", "CGIF", "CWebP",
            ],
            swiftSettings: strict
        ),

        .target(
            name: "MagpieTestSupport",
            dependencies: ["MagpieConcurrency", "MagpieHTTP"],
            path: "Tests/MagpieTestSupport",
            swiftSettings: strict
        ),
        // Kills processes that use a store, for its tests.
        .executableTarget(
            name: "StorageStress",
            dependencies: ["MagpieStorage"],
            path: "Tests/StorageStress",
            swiftSettings: strict
        ),
        .testTarget(
            name: "MagpieStorageTests",
            dependencies: ["MagpieStorage", "MagpieConcurrency", "MagpieTestSupport", "StorageStress"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MagpieHTTPTests",
            dependencies: ["MagpieConcurrency", "MagpieHTTP", "MagpieURLSession", "MagpieTestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MagpieImageTests",
            dependencies: ["MagpieImage", "MagpieTestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MagpieTests",
            dependencies: ["Magpie", "MagpieConcurrency", "MagpieStorage", "MagpieTestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MagpieCommandTests",
            dependencies: ["MagpieCommand", "MagpieConcurrency", "MagpieTestSupport"],
            swiftSettings: strict
        ),
    ]
)
