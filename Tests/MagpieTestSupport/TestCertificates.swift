import Foundation

/// A certificate authority made for one run, and certificates good and bad, by the `openssl` program.
struct TestCertificates {
    /// The authority's certificate.
    let caFile: URL
    /// The private key of all server certificates.
    let keyFile: URL
    /// The pins of the public keys of the `server`, the `intermediate` authority, and the root, `ca`.
    let publicKeyPins: [String: String]
    /// The folder of all files.
    let folder: URL

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
        let pins = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        let lines = String(decoding: pins, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        publicKeyPins = Dictionary(
            uniqueKeysWithValues: lines.filter { $0.count == 2 }.map { (String($0[0]), "sha256//\($0[1])") }
        )
    }

    /// The certificate that the server shows at an entrance.
    func certificateFile(for entrance: NginxServer.Entrance) -> URL {
        switch entrance {
        case .plain, .secure, .secureHTTP1, .clientCertificate, .oldTLS: folder.appending(path: "good.pem")
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
        crlnumber = crlnumber
        default_crl_days = 2
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
        basicConstraints = CA:false
        subjectAltName = DNS:localhost, IP:127.0.0.1
        [elsewhere]
        subjectAltName = DNS:other.example
        [client]
        basicConstraints = CA:false
        extendedKeyUsage = clientAuth
        subjectAltName = DNS:localhost, IP:127.0.0.1
        [nameless]
        basicConstraints = CA:false
        END
        : > index.txt
        echo 01 > crlnumber
        key="-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
        root() {
            openssl req -x509 $key -keyout $1.key -out $1.pem -subj "/CN=$2" -days 2 -config ca.cnf -extensions authority
        }
        ask() { openssl req $key -keyout $1.key -out $1.csr -subj "/CN=$2" -config ca.cnf; }
        # sign AUTHORITY REQUEST CERTIFICATE EXTENSIONS [FROM UNTIL]
        sign() {
            openssl ca -batch -notext -config ca.cnf -cert $1.pem -keyfile ${6:-$1}.key -in $2.csr -out $3.pem \
                -extensions $4 -startdate ${5%-*} -enddate ${5#*-}
        }
        now=20200101000000Z-20491231000000Z
        past=20200101000000Z-20210301000000Z
        root ca "Test Authority"
        root strangerCA "Unknown Authority"
        ask server "test server"
        ask intermediate "Test Intermediate"
        ask client "test client"
        sign ca server good here $now
        sign ca server wrongHost elsewhere $now
        sign ca server expired here $past
        sign ca server notYetValid here 20480101000000Z-20491231000000Z
        sign ca server clientOnly client $now
        sign ca server revoked here $now
        sign ca intermediate intermediate authority $now
        sign ca intermediate pastIntermediate authority $past
        sign intermediate server leaf here $now
        cat leaf.pem intermediate.pem > chained.pem
        cat good.pem ca.pem > stapled.pem
        cat revoked.pem ca.pem > stapledRevoked.pem
        cat leaf.pem pastIntermediate.pem > expiredIssuer.pem
        openssl req -new -key server.key -out counterfeit.csr -subj "/CN=counterfeit" -config ca.cnf
        sign good counterfeit counterfeit here $now server
        cat counterfeit.pem good.pem > falseAuthority.pem
        sign strangerCA server unknownRoot here $now
        sign ca client client client $now
        sign strangerCA client stranger client $now
        openssl pkcs12 -export -in client.pem -inkey client.key -passout pass:magpie -out client.p12
        openssl pkey -in client.key -aes128 -passout pass:magpie -out locked.key
        for extensions in here nameless; do
            openssl req -x509 -key server.key -out $extensions.pem -subj "/CN=localhost" -days 2 -config ca.cnf \
                -extensions $extensions
        done
        mv here.pem selfSigned.pem
        openssl ca -config ca.cnf -cert ca.pem -keyfile ca.key -revoke revoked.pem
        openssl ca -config ca.cnf -cert ca.pem -keyfile ca.key -gencrl -out crl.pem
        for name in good revoked; do
            openssl ocsp -no_nonce -issuer ca.pem -cert $name.pem -reqout $name.question
            openssl ocsp -index index.txt -CA ca.pem -rsigner ca.pem -rkey ca.key -ndays 2 -reqin $name.question \
                -respout $name.status
        done >&2
        for name in server intermediate ca; do
            echo $name $(openssl pkey -in $name.key -pubout -outform der | openssl dgst -sha256 -binary | openssl base64 -A)
        done
        """
}
