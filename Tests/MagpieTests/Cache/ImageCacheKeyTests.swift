import MagpieImage
import Testing

@testable import Magpie

@Suite struct ImageCacheKeyTests {
    /// The places where SDWebImage puts a transformer's key (its test of the same name).
    @Test(arguments: [
        ("image.png", "image-K.png"),
        ("image", "image-K"),
        (".image", ".image-K"),
        ("image.", "image.-K"),
        ("Test/image.png", "Test/image-K.png"),
        ("http://foo/image.png", "http://foo/image-K.png"),
        ("http://foo/image", "http://foo/image-K"),
        ("http://foo/.image", "http://foo/.image-K"),
        ("http://foo/image.png?foo=bar#mark", "http://foo/image-K.png?foo=bar#mark"),
        ("http://h/image.png?alt=media", "http://h/image-K.png?alt=media"),
        ("ftp://root:password@foo.com/image.png", "ftp://root:password@foo.com/image-K.png"),
    ])
    func theVersionStandsBeforeTheExtension(source: String, expected: String) {
        #expect(ImageCacheKey(source: source, transformerKey: "K").description == expected)
    }

    @Test func thumbnailThenTransformers() {
        let size = PixelSize(width: 100, height: 80)
        let key = ImageCacheKey(source: "http://h/a.png", thumbnail: .init(size: size), transformerKey: "A-B")
        #expect(key.description == "http://h/a-Thumbnail({100.000000,80.000000},1)-A-B.png")
    }

    @Test func theKeyOfAPlainPictureIsItsAddress() {
        #expect(ImageCacheKey(source: "http://h/a.png").description == "http://h/a.png")
    }

    @Test(arguments: [
        ("http://h/photo@2x.png", 2.0), ("http://h/photo@3x.jpg?x=1", 3), ("http://h/photo%402x.png", 2),
        ("http://h/photo.png", 1), ("a@2x.png", 2), ("@2x.png", 1), ("http://h/photo@4x.png", 1),
    ])
    func theScaleIsInTheName(key: String, scale: Double) {
        #expect(LoadRequest.scale(of: key) == scale)
    }
}
