"""Writes palette PNGs and a PMTiles v3 archive, the same bytes for the same input."""
import gzip
import hashlib
import json
import struct
import zlib

import numpy as np


def png(indices, colours):
    """The smallest PNG found for a square of palette indices, with only the colours it uses."""
    used, local = np.unique(indices, return_inverse=True)
    local = local.reshape(indices.shape).astype(np.uint8)
    least = next(d for d in (1, 2, 4, 8) if len(used) <= 1 << d)
    body, depth = min(((_body(local, d), d) for d in (least, 8)), key=lambda pair: len(pair[0]))
    header = struct.pack(">IIBBBBB", *indices.shape[::-1], depth, 3, 0, 0, 0)
    table = bytes(v for i in used for v in colours[i])
    return (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"PLTE", table)
            + _chunk(b"IDAT", body) + _chunk(b"IEND", b""))


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _body(local, depth):
    """Rows packed to the depth, unfiltered (filters only spoil palette indices), then deflated."""
    bits = np.unpackbits(local[..., None], axis=2)[..., 8 - depth:]
    packed = np.packbits(bits.reshape(len(local), -1), axis=1)
    raw = np.pad(packed, ((0, 0), (1, 0))).tobytes()
    return min((_deflate(raw, s) for s in (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED)), key=len)


def _deflate(raw, strategy):
    packer = zlib.compressobj(9, zlib.DEFLATED, 15, 9, strategy)
    return packer.compress(raw) + packer.flush()


def tile_id(zoom, x, y):
    """The place of a tile in the archive: all coarser zooms first, then along a Hilbert curve."""
    result = (4 ** zoom - 1) // 3
    for bit in reversed(range(zoom)):
        side = 1 << bit
        right, below = x >> bit & 1, y >> bit & 1
        result += ((3 * right) ^ below) << 2 * bit
        x, y = x & side - 1, y & side - 1
        if not below:
            if right:
                x, y = side - 1 - x, side - 1 - y
            x, y = y, x
    return result


def _varint(value):
    result = bytearray()
    while value > 127:
        result.append(value & 127 | 128)
        value >>= 7
    return bytes(result) + bytes([value])


def _directory(entries):
    """Columns of a directory: ids as steps, run lengths, lengths, offsets (0: right behind)."""
    columns = [[len(entries)], [], [], [], []]
    last_id = behind = 0
    for place, (first, run, length, offset) in enumerate(entries):
        columns[1].append(first - last_id)
        columns[2].append(run)
        columns[3].append(length)
        columns[4].append(0 if place and offset == behind else offset + 1)
        last_id, behind = first, offset + length
    return _squeeze(b"".join(_varint(v) for column in columns for v in column))


def _squeeze(data):
    return gzip.compress(data, 9, mtime=0)


def _lay_out(tiles):
    """Entries and data: equal tiles stored once, equal neighbours in one entry."""
    entries, places, data = [], {}, bytearray()
    for number in sorted(tiles):
        body = tiles[number]
        key = hashlib.sha256(body).digest()
        if key not in places:
            places[key] = len(data)
            data += body
        entry = [number, 1, len(body), places[key]]
        last = entries[-1] if entries else None
        if last and last[3] == entry[3] and last[0] + last[1] == number:
            last[1] += 1
        else:
            entries.append(entry)
    return entries, bytes(data), len(places)


ROOT_LIMIT = 16384 - 127
LEAF = 4096


def _directories(entries):
    """Root and leaves; leaves only where the root alone would be too long."""
    root = _directory(entries)
    if len(root) <= ROOT_LIMIT:
        return root, b""
    leaves, pointers = b"", []
    for start in range(0, len(entries), LEAF):
        leaf = _directory(entries[start:start + LEAF])
        pointers.append((entries[start][0], 0, len(leaf), len(leaves)))
        leaves += leaf
    return _directory(pointers), leaves


CLUSTERED, GZIP, NONE, PNG = 1, 2, 1, 2


def pmtiles(tiles, metadata, zooms, bounds, centre):
    """The whole archive. `tiles` maps ids to PNGs, `centre` is longitude, latitude, zoom."""
    entries, data, contents = _lay_out(tiles)
    root, leaves = _directories(entries)
    text = _squeeze(json.dumps(metadata, ensure_ascii=False, separators=(",", ":")).encode())
    sections, at = [], 127
    for part in (root, text, leaves, data):
        sections += [at, len(part)]
        at += len(part)
    header = b"PMTiles\x03" + struct.pack(
        "<11Q6B4iB2i", *sections, len(tiles), len(entries), contents,
        CLUSTERED, GZIP, NONE, PNG, *zooms, *(round(v * 1e7) for v in bounds),
        centre[2], *(round(v * 1e7) for v in centre[:2]))
    return header + root + text + leaves + data
