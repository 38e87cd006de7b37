import Foundation

/// The types of files by the extensions of their names.
package enum MIMEType {
    /// The type of a file of that name; `application/octet-stream` where it is not known.
    package static func ofFile(named name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return types[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let unknown = "application/octet-stream"

    private static let types: [String: String] = {
        var types: [String: String] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            for name in words.dropFirst() { types[String(name)] = words.first.map(String.init) }
        }
        return types
    }()

    /// What people upload, by IANA's registry of media types where it has them.
    private static let table = """
        application/epub+zip epub
        application/geo+json geojson
        application/gzip gz tgz
        application/java-archive jar
        application/json json map
        application/ld+json jsonld
        application/manifest+json webmanifest
        application/msword doc dot
        application/octet-stream bin exe dll so dmg iso img deb
        application/ogg ogx
        application/pdf pdf
        application/pgp-signature asc sig
        application/pkcs10 p10
        application/pkcs8 p8
        application/pkix-crl crl
        application/postscript ai eps ps
        application/rtf rtf
        application/sql sql
        application/toml toml
        application/vnd.android.package-archive apk
        application/vnd.apple.mpegurl m3u8
        application/vnd.ms-excel xls xlt
        application/vnd.ms-fontobject eot
        application/vnd.ms-powerpoint ppt pot pps
        application/vnd.oasis.opendocument.presentation odp
        application/vnd.oasis.opendocument.spreadsheet ods
        application/vnd.oasis.opendocument.text odt
        application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
        application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
        application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
        application/vnd.rar rar
        application/vnd.sqlite3 sqlite sqlite3 db
        application/wasm wasm
        application/x-7z-compressed 7z
        application/x-bzip2 bz2
        application/x-pkcs12 p12 pfx
        application/x-plist plist
        application/x-sh sh
        application/x-tar tar
        application/x-x509-ca-cert cer crt der pem
        application/x-xz xz
        application/xhtml+xml xhtml
        application/xml xml xsl xsd
        application/yaml yaml yml
        application/zip zip
        application/zstd zst
        audio/aac aac
        audio/flac flac
        audio/midi mid midi
        audio/mp4 m4a
        audio/mpeg mp3
        audio/ogg oga ogg opus
        audio/wav wav
        audio/webm weba
        audio/x-aiff aif aiff
        font/otf otf
        font/ttf ttf
        font/woff woff
        font/woff2 woff2
        image/apng apng
        image/avif avif
        image/bmp bmp dib
        image/gif gif
        image/heic heic
        image/heif heif
        image/jp2 jp2
        image/jpeg jpg jpeg jpe jfif
        image/jxl jxl
        image/png png
        image/qoi qoi
        image/svg+xml svg svgz
        image/tiff tif tiff
        image/vnd.adobe.photoshop psd
        image/vnd.microsoft.icon ico cur
        image/webp webp
        image/x-adobe-dng dng
        message/rfc822 eml
        model/gltf+json gltf
        model/gltf-binary glb
        model/stl stl
        text/calendar ics
        text/css css
        text/csv csv
        text/html html htm
        text/javascript js mjs
        text/markdown md markdown
        text/plain txt text log conf ini
        text/tab-separated-values tsv
        text/vcard vcf
        text/vtt vtt
        video/3gpp 3gp
        video/mp2t ts
        video/mp4 mp4 m4v
        video/mpeg mpeg mpg
        video/ogg ogv
        video/quicktime mov qt
        video/webm webm
        video/x-matroska mkv
        video/x-msvideo avi
        """
}
