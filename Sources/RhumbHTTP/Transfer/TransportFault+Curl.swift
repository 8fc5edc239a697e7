internal import CCurl
internal import Glibc
internal import RhumbCore

extension TransportFault {
    /// Creates the fault for an error code of curl.
    /// - Parameter handle: The handle with the system's error of the connection and the proxy's response.
    init(_ code: CURLcode, _ handle: EasyHandle) {
        switch code {
        case _ where handle.proxyStatus >= 300: self = .proxy
        case CURLE_COULDNT_CONNECT: self = TransportFault(systemError: handle.systemError)
        case CURLE_COULDNT_RESOLVE_HOST: self = .nameNotFound
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self = .proxy
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING: self = .truncated
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .connectionLost
        case CURLE_SSL_CONNECT_ERROR: self = .tlsFailed
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
            self = .certificate
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge
        case CURLE_URL_MALFORMAT: self = .badAddress
        default: self = .badAnswer
        }
    }

    private init(systemError: Int32) {
        switch systemError {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: self = .noNetwork
        case ETIMEDOUT: self = .timedOut
        default: self = .connectionRefused
        }
    }
}
