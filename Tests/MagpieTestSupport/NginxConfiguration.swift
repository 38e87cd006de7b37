import Foundation

/// The configuration file of an `NginxServer`.
struct NginxConfiguration {
    let folder: URL
    let root: URL
    let certificates: TestCertificates
    let ports: [NginxServer.Entrance: Int]

    /// The file's text.
    ///
    /// One process without a master: it starts fast, and one signal ends it.
    var text: String {
        """
        daemon off;
        master_process off;
        pid nginx.pid;
        error_log error.log warn;
        events { worker_connections 1024; }
        http {
            include /etc/nginx/mime.types;
            default_type application/octet-stream;
            log_format magpie '\(NginxRequest.format)';
            access_log access.log magpie;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            sendfile on;
            tcp_nopush on;
            open_file_cache max=1000;
            keepalive_timeout 60;
            keepalive_requests 1000000;
            server_names_hash_bucket_size 128;
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_certificate_key \(certificates.keyFile.path);
        \(NginxServer.Entrance.allCases.map(server).joined(separator: "\n"))
        }
        """
    }

    private func server(for entrance: NginxServer.Entrance) -> String {
        """
            server {
                \(listen(entrance))
                root \(root.path);
                location /gzip/ {
                    alias \(root.path)/;
                    gzip on;
                    gzip_types *;
                    gzip_min_length 1;
                }
                location /expires/ {
                    alias \(root.path)/;
                    expires 1h;
                }
                location /moved/ { rewrite ^/moved/(.*)$ /$1 permanent; }
                location /elsewhere/ {
                    add_header Alt-Svc 'h2="localhost:\(ports[.chained] ?? 0)"';
                    return 200 $server_port;
                }
                location = /loop { return 302 /loop; }
                location /hsts/ {
                    alias \(root.path)/;
                    add_header Strict-Transport-Security "max-age=600" always;
                }
                location /upload/ {
                    alias \(root.path)/;
                    dav_methods PUT;
                    client_max_body_size 0;
                }
                location /slow/ {
                    alias \(root.path)/;
                    limit_rate 64k;
                }
            }
        """
    }

    private func staple(_ file: String) -> String {
        "ssl_stapling on; ssl_stapling_file \(certificates.folder.appending(path: file).path);"
    }

    private func listen(_ entrance: NginxServer.Entrance) -> String {
        let port = ports[entrance] ?? 0
        guard entrance != .plain else { return "listen 127.0.0.1:\(port);" }
        let protocols = entrance == .secureHTTP1 ? "ssl" : "ssl http2"
        let certificate = certificates.certificateFile(for: entrance).path
        let more =
            switch entrance {
            case .clientCertificate: "ssl_client_certificate \(certificates.caFile.path); ssl_verify_client on;"
            case .stapled: staple("good.status")
            case .stapledRevoked: staple("revoked.status")
            case .oldTLS: "ssl_protocols TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;"
            default: ""
            }
        return "listen 127.0.0.1:\(port) \(protocols); ssl_certificate \(certificate); \(more)"
    }
}
