"""Heights and depths of the world in metres, every five minutes of arc: ETOPO5."""
from pathlib import Path

import numpy as np

from fields import Field

COLUMNS, ROWS = 4320, 2160


def heights(folder):
    """The field of heights, depths below zero."""
    path = Path(folder) / "usr/share/ferret-vis/data/etopo5.cdf"
    # NetCDF classic: the values are the last bytes of the file, rows from south to north, columns from 0° east on.
    raw = path.read_bytes()[-4 * COLUMNS * ROWS:]
    return Field(np.roll(np.frombuffer(raw, ">f4").reshape(ROWS, COLUMNS)[::-1], COLUMNS // 2, 1).astype(np.float32))
