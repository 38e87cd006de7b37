public import Foundation

extension DiskCache {
    /// Takes over the pictures of a folder that SDWebImage kept, which stays as it is.
    ///
    /// The names there tell no addresses: a picture is found as soon as it is asked for by the one that it was stored
    /// under, and counts for size and age until then like any other.
    ///
    /// - Returns: how many pictures were taken over.
    @discardableResult
    public func importSDWebImageFolder(_ folder: URL) -> Int {
        let source = SDWebImageFolder(url: folder)
        var count = 0
        for name in source.names() {
            let key = SDWebImageFolder.importKey(name)
            guard let picture = source.picture(named: name, key: key) else { continue }
            if store(picture) { count += 1 }
        }
        return count
    }
}
