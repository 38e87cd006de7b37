// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that ordinary builds neither see it nor need libFuzzer; Scripts/fuzz builds and runs it.
let package = Package(
    name: "magpie-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "magpie", path: "..")],
    targets: [
        .systemLibrary(name: "CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CFuzzer", .product(name: "MagpieImage", package: "magpie")]
        ),
    ]
)
