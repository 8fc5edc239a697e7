"""The classes of the map, their two colours, and the fixed list of colours the tiles use.

A tile pixel is a mixture of classes, so each entry of the list is one too: that gives it a day and
a night colour at once, and a program can turn one into the other by looking it up.
"""
import numpy as np

# class: (day, night). The order is the order in the palette, not of drawing.
CLASSES = {
    "water": ("#94C0DD", "#0D1C2B"),
    "land": ("#F2EEE3", "#37424B"),
    "ice": ("#FFFFFF", "#596873"),
    "urban": ("#D7C9B8", "#545B62"),
    "river": ("#6BA6CE", "#3A7DA6"),
    "border": ("#8E6FA0", "#A58BBF"),
    "region": ("#BBA9C6", "#6A637E"),
}
NAMES = list(CLASSES)

# How many evenly spaced steps lie between two classes that meet often enough to need them.
BLENDS = {
    ("water", "land"): 7,
    ("water", "ice"): 5,
    ("land", "ice"): 2,
    ("land", "urban"): 2,
    ("water", "urban"): 1,
    ("land", "river"): 5,
    ("water", "river"): 1,
    ("ice", "river"): 1,
    ("urban", "river"): 1,
    ("land", "border"): 5,
    ("water", "border"): 3,
    ("ice", "border"): 2,
    ("urban", "border"): 2,
    ("river", "border"): 1,
    ("land", "region"): 3,
    ("water", "region"): 1,
    ("urban", "region"): 1,
}


def _rgb(text):
    return np.array([int(text[i:i + 2], 16) for i in (1, 3, 5)], float)


DAY = np.array([_rgb(day) for day, _ in CLASSES.values()])
NIGHT = np.array([_rgb(night) for _, night in CLASSES.values()])


def mixtures():
    """One row of class weights for every palette entry: the classes themselves, then the blends."""
    rows = list(np.eye(len(NAMES)))
    for (a, b), steps in BLENDS.items():
        for k in range(1, steps + 1):
            row = np.zeros(len(NAMES))
            row[NAMES.index(a)], row[NAMES.index(b)] = 1 - k / (steps + 1), k / (steps + 1)
            rows.append(row)
    if len(rows) > 64:
        raise ValueError(f"{len(rows)} colours, but the list may hold 64")
    return np.array(rows)


MIXTURES = mixtures()


def _distinct(colours):
    """Whole-number colours; one met before is nudged by a step of blue or more."""
    seen, result = set(), []
    for colour in np.rint(colours).astype(int).tolist():
        while tuple(colour) in seen:
            colour[2] += 1 if colour[2] < 255 else -2
        seen.add(tuple(colour))
        result.append(tuple(colour))
    return result


DAY_LIST = _distinct(MIXTURES @ DAY)
NIGHT_LIST = _distinct(MIXTURES @ NIGHT)


def hexadecimal(colours):
    return ["#%02X%02X%02X" % colour for colour in colours]


def _oklab(rgb):
    """sRGB (0…255) to OKLab, where distances are what the eye sees."""
    c = np.asarray(rgb, float) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    lms = np.cbrt(linear @ np.array([[0.4122214708, 0.2119034982, 0.0883024619],
                                     [0.5363325363, 0.6806995451, 0.2817188376],
                                     [0.0514459929, 0.1073969566, 0.6299787005]]))
    return lms @ np.array([[0.2104542553, 1.9779984951, 0.0259040371],
                           [0.7936177850, -2.4285922050, 0.7827717662],
                           [-0.0040720468, 0.4505937099, -0.8086757660]])


def _seen(weights):
    """What a mixture looks like in both themes, as one point of six dimensions."""
    return np.hstack([_oklab(weights @ DAY), _oklab(weights @ NIGHT)])


_ENTRIES = _seen(MIXTURES)


def nearest(weights):
    """For each row of class weights, the palette entry that looks most like it by day and night."""
    distance = ((_seen(weights)[:, None, :] - _ENTRIES[None]) ** 2).sum(2)
    return distance.argmin(1).astype(np.uint8)
