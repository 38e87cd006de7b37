import Foundation

/// A certificate authority made for one run, and certificates good and bad, by the `openssl` program.
struct TestCertificates {
    /// The authority's certificate.
    let caFile: URL
    /// The private key of all server certificates.
    let keyFile: URL
    /// The pin of the servers' public key.
    let publicKeyPin: String

    private let folder: URL

    /// Whether the program is installed.
    static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    /// Makes the files in `folder`.
    init(in folder: URL) throws {
        self.folder = folder
        caFile = folder.appending(path: "ca.pem")
        keyFile = folder.appending(path: "server.key")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-e", "-c", Self.script]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.runHearingSignals()
        let pin = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        publicKeyPin = "sha256//" + String(decoding: pin, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The certificate that the server shows at an entrance.
    func certificateFile(for entrance: NginxServer.Entrance) -> URL {
        switch entrance {
        case .plain, .secure, .secureHTTP1: folder.appending(path: "good.pem")
        default: folder.appending(path: "\(entrance.rawValue).pem")
        }
    }

    /// `openssl ca` alone lets the dates be chosen, so it makes them all.
    private static let script = """
        export RANDFILE=$PWD/rnd
        cat > ca.cnf <<'END'
        [ca]
        default_ca = test
        [test]
        database = index.txt
        new_certs_dir = .
        rand_serial = yes
        default_md = sha256
        policy = any
        unique_subject = no
        [any]
        commonName = supplied
        [req]
        distinguished_name = name
        [name]
        [authority]
        basicConstraints = critical, CA:true
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [here]
        subjectAltName = DNS:localhost, IP:127.0.0.1
        [elsewhere]
        subjectAltName = DNS:other.example
        END
        : > index.txt
        key="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        openssl req -x509 $key -keyout ca.key -out ca.pem -subj "/CN=Test Authority" -days 2 -config ca.cnf -extensions authority
        openssl req $key -keyout server.key -out server.csr -subj "/CN=test server" -config ca.cnf
        sign() {
            openssl ca -batch -notext -config ca.cnf -cert ca.pem -keyfile ca.key -in server.csr -extensions "$2" \
                -startdate "$3" -enddate "$4" -out "$1.pem"
        }
        sign good here 20200101000000Z 20491231000000Z
        sign wrongHost elsewhere 20200101000000Z 20491231000000Z
        sign expired here 20200101000000Z 20210301000000Z
        sign notYetValid here 20480101000000Z 20491231000000Z
        openssl req -x509 -key server.key -out selfSigned.pem -subj "/CN=localhost" -days 2 -config ca.cnf -extensions here
        openssl pkey -in server.key -pubout -outform der | openssl dgst -sha256 -binary | openssl base64 -A
        """
}
