// What the package calls of OpenSSL: hashes, certificates, and the hook into a TLS handshake.
#ifndef MAGPIE_CCRYPTO_SHIM_H
#define MAGPIE_CCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#endif
