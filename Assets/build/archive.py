"""Writes a PMTiles v3 archive, the same bytes for the same input."""
import gzip
import hashlib
import json
import struct


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


def varint(value):
    """A whole number in bytes of seven bits, the lowest first."""
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
    return pack(b"".join(varint(v) for column in columns for v in column))


def pack(data):
    """Data packed with gzip, without the hour."""
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


CLUSTERED, PLAIN, GZIP = 1, 1, 2
# Kinds of tiles; vector tiles come packed.
VECTOR, WEBP = 1, 4


def pmtiles(tiles, metadata, zooms, bounds, centre, kind=VECTOR):
    """The whole archive. `tiles` maps ids to tiles, `centre` is longitude, latitude, zoom."""
    entries, data, contents = _lay_out(tiles)
    root, leaves = _directories(entries)
    text = pack(json.dumps(metadata, ensure_ascii=False, separators=(",", ":")).encode())
    sections, at = [], 127
    for part in (root, text, leaves, data):
        sections += [at, len(part)]
        at += len(part)
    header = b"PMTiles\x03" + struct.pack(
        "<11Q6B4iB2i", *sections, len(tiles), len(entries), contents,
        CLUSTERED, GZIP, GZIP if kind == VECTOR else PLAIN, kind, *zooms, *(round(v * 1e7) for v in bounds),
        centre[2], *(round(v * 1e7) for v in centre[:2]))
    return header + root + text + leaves + data
