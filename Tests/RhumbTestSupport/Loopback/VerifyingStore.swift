internal import Glibc

/// An S3-compatible store that verifies the signature of each request. It combines two Python packages:
/// awssig verifies, and moto stores. They are in the folder named by RHUMB_OBJECT_STORE, or where CI puts
/// them.
public final class VerifyingStore {
    /// True if the packages are installed for tests.
    public static var isAvailable: Bool { folder != nil }

    private static let folder: String? = {
        let named = getenv("RHUMB_OBJECT_STORE").map { String(cString: $0) }
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return [named, "/\(root)/.build/object-store"].compactMap(\.self).first {
            access("\($0)/awssig/sigv4.py", R_OK) == 0 && access("\($0)/moto/s3/models.py", R_OK) == 0
        }
    }()

    /// The address of the store, which has the bucket "maps".
    public let url: String
    /// A presigned address of the object "signed=1.bin".
    public let presigned: String
    private let program: ChildProgram
    private let log = TemporaryFolder()

    /// Starts a store. It knows two pairs of keys: AKEY with SKEY+/=, and the temporary TKEY with TSECRET and
    /// TOKEN/+=.
    /// - Parameter objects: The contents of the bucket by their keys, as another program uploads them.
    public init(objects: [String: [UInt8]]) throws {
        let folder = log
        let listed = objects.enumerated().map { number, object in
            folder.write(object.value, to: "\(number)")
            return "\(number)\t\(object.key)\n"
        }
        log.write(Array(listed.joined().utf8), to: "objects")
        let environment = [
            "PYTHONPATH": VerifyingStore.folder ?? "",
            "PATH": getenv("PATH").map { String(cString: $0) } ?? "",
            "HOME": log.path,
        ]
        program = ChildProgram(
            "/usr/bin/env", ["python3", "-c", VerifyingStore.script], environment: environment,
            errors: log.path + "/log")
        guard let url = program.readLine(), let presigned = program.readLine() else {
            throw PtyProgram.Failure(description: log.text("log"))
        }
        self.url = url
        self.presigned = presigned
    }

    /// The requests so far, such as "accepted GET /maps/a.bin", or "rejected" with the reason.
    public var requests: [String] { log.text("log").split(separator: "\n").map(String.init) }
    /// The number of requests with a wrong signature.
    public var rejections: Int { requests.count { !$0.hasPrefix("accepted") } }

    private static let script = """
        import io, pathlib, sys, threading
        from urllib.parse import parse_qs
        import awssig, boto3
        from botocore.config import Config
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import WSGIRequestHandler, make_server

        secrets = {("AKEY", None): "SKEY+/=", ("TKEY", "TOKEN/+="): "TSECRET"}
        store = DomainDispatcherApplication(create_backend_app)

        def verify(environ, body):
            path, _, query = environ["RAW_URI"].partition("?")
            headers = {name[5:].replace("_", "-").lower(): [value]
                       for name, value in environ.items() if name.startswith("HTTP_")}
            if environ.get("CONTENT_TYPE"):
                headers["content-type"] = [environ["CONTENT_TYPE"]]
            is_presigned = "X-Amz-Signature" in parse_qs(query)
            if is_presigned:
                headers["x-amz-content-sha256"] = ["UNSIGNED-PAYLOAD"]
            verifier = awssig.AWSSigV4S3Verifier(
                request_method=environ["REQUEST_METHOD"], uri_path=path, query_string=query, headers=headers,
                body=body, region="us-east-1", service="s3", timestamp_mismatch=900,
                key_mapping=lambda key, token=None: secrets.get((key, token), "unknown"))
            verifier.verify()
            for name in headers:
                must_be_signed = name == "content-type" or name.startswith("x-amz-")
                if must_be_signed and not is_presigned and name not in verifier.signed_headers:
                    raise ValueError(name + " is not signed")

        def answer(environ, start):
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            environ["wsgi.input"] = io.BytesIO(body)
            name = environ["REQUEST_METHOD"] + " " + environ["RAW_URI"]
            try:
                verify(environ, body)
            except Exception as error:
                print("rejected", name, repr(error), file=sys.stderr, flush=True)
                start("403 Forbidden", [("Content-Type", "application/xml")])
                return [b"<Error><Code>SignatureDoesNotMatch</Code></Error>"]
            print("accepted", name, file=sys.stderr, flush=True)
            return store(environ, start)

        class Handler(WSGIRequestHandler):
            protocol_version = "HTTP/1.1"
            def log(self, *_): pass

        server = make_server("127.0.0.1", 0, answer, threaded=True, request_handler=Handler)
        url = f"http://127.0.0.1:{server.port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        client = boto3.client(
            "s3", endpoint_url=url, region_name="us-east-1", aws_access_key_id="AKEY",
            aws_secret_access_key="SKEY+/=", config=Config(signature_version="s3v4"))
        client.create_bucket(Bucket="maps")
        home = pathlib.Path.home()
        for line in (home / "objects").read_text().splitlines():
            number, key = line.split("\\t")
            client.put_object(Bucket="maps", Key=key, Body=(home / number).read_bytes())
        print(url)
        print(client.generate_presigned_url("get_object", {"Bucket": "maps", "Key": "signed=1.bin"}), flush=True)
        threading.Event().wait()
        """
}
