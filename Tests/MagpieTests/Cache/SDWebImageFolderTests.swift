import Foundation
import MagpieTestSupport
import Testing

@testable import Magpie

@Suite struct SDWebImageFolderTests {
    /// Keys and the extensions of their files (SDWebImage's tests of file names).
    @Test(arguments: [
        ("http://h/image.jpg", "jpg"), ("http://h/image.jpg?a=b.c", "jpg"), ("http://h/?image.jpg", ""),
        ("http://h/image", ""), ("http://h/image.\(String(repeating: "a", count: 300))", ""),
        ("http://h/image.jpg00%00", "jpg00"), ("image.png", "png"),
    ])
    func extensionsAreThoseOfThePath(key: String, expected: String) {
        #expect(SDWebImageFolder.fileExtension(of: key) == expected)
    }

    @Test func namesAreTheMD5OfTheKey() {
        #expect(SDWebImageFolder.name(for: "abc") == "900150983cd24fb0d6963f7d28e17f72")
    }

    @Test func importedPicturesAreFoundByTheirKeys() throws {
        let folder = try TemporaryFolder()
        let old = folder.url.appendingPathComponent("old")
        let key = "http://h/photo.png"
        try folder.write(Data([1, 2, 3]), to: "old/" + SDWebImageFolder.name(for: key))
        try folder.write(Data([4]), to: "old/letter.txt")
        let cache = DiskCache(folder: folder.url.appendingPathComponent("new"))
        #expect(cache.importSDWebImageFolder(old) == 1)
        try FileManager.default.removeItem(at: old)
        #expect(cache.contains(key))
        #expect(cache.data(for: key)?.data == Data([1, 2, 3]))
        // From now on the entry is like any other.
        #expect(cache.entries().map(\.key) == [key])
        #expect(cache.totalCount == 1)
        cache.remove(key)
        #expect(!cache.contains(key))
    }

    @Test func aReadOnlyFolderOfPicturesIsAskedAndLeftAlone() throws {
        let folder = try TemporaryFolder()
        let key = "http://h/photo.png"
        let file = try folder.write(Data([1, 2, 3]), to: "old/" + SDWebImageFolder.name(for: key))
        let cache = DiskCache(
            folder: folder.url.appendingPathComponent("new"),
            readOnlyFolders: [folder.url.appendingPathComponent("old")]
        )
        #expect(cache.data(for: key)?.data == Data([1, 2, 3]))
        cache.remove(key)
        cache.removeAll()
        #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
        #expect(cache.totalCount == 0)
    }
}
