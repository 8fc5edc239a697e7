"""The colours of Rhumb's own styles, by what is drawn: for terminals of all colours, of 256, of 16 and of none.

The reduced ones are chosen by hand from what such terminals have, so that areas come out as flat cells and not as
mixtures. The dark colours of 256 are greys or garish, so that land by night is grey. Of the sixteen, areas may only have
the first eight: not every terminal has bright ones behind a glyph.
"""

# (day, night)
FULL = {
    "land": ("#F2EEE3", "#52554F"), "ground": ("#E2DACD", "#1E252C"),
    "water": ("#94C0DD", "#12304A"), "sea": ("#8CBADA", "#205A82"), "river": ("#6BA6CE", "#5E9CC4"),
    "ice": ("#FFFFFF", "#8496A4"), "sand": ("#EBDDB0", "#4A4A42"),
    "urban": ("#D7C9B8", "#7D7161"), "quarter": ("#DAD0C1", "#38404A"), "works": ("#D5CBC9", "#434860"),
    "wood": ("#B9D6A0", "#2B4B3A"), "park": ("#C3DDA9", "#2F5540"), "field": ("#E3DFC4", "#2B3630"),
    "building": ("#C4B6A5", "#4A535C"), "rail": ("#9A8F8C", "#6E6A78"), "path": ("#F6F2EA", "#56616B"),
    "motorway": ("#DE8A4C", "#D98A4A"), "main": ("#EFC364", "#C0A05A"), "second": ("#F7DF9E", "#A79566"),
    "street": ("#FFFFFF", "#69747E"), "runway": ("#BFB7C4", "#565C6C"),
    "country": ("#8E6FA0", "#B49ACD"), "region": ("#BBA9C6", "#7C7590"),
    "name_country": ("#5A4864", "#C9B8D6"), "name_city": ("#1E1E1E", "#F2F2F2"),
    "name_place": ("#46423C", "#C4CCD2"), "name_water": ("#15476A", "#6FB3DC"),
    "name_street": ("#3A332C", "#ECEFF1"), "name_green": ("#33592A", "#8FBF94"),
    "name_poi": ("#6A2A1E", "#F2C9A4"),
    "halo": ("#F2EEE3", "#1B242B"), "mark": ("#B0433A", "#E0A05A"),
    "shelf": ("#9CC8E5", "#12304A"), "square": ("#FFFFFF", "#69747E"),
    "dry": ("#F0E0B4", "#665C4B"), "desert": ("#EACF94", "#72644A"),
    "wooded": ("#D3E0B8", "#44594A"), "woods": ("#B5CF9A", "#3F5C49"),
    "height_200": ("#F0EBDC", "#585A53"), "height_500": ("#EDE4CF", "#605E56"), "height_1000": ("#E7D9BD", "#69635A"),
    "height_2000": ("#DFCBAA", "#736B60"), "height_3500": ("#D8BE9C", "#7F776C"),
    "depth_200": ("#97C2DE", "#0E273F"), "depth_2000": ("#8AB7D7", "#0B2035"), "depth_4000": ("#7DABCF", "#08192B"),
    "depth_6000": ("#6E9DC4", "#061322"),
}

INDEXED_256 = {
    "land": ("#EEEEEE", "#444444"), "ground": ("#E4E4E4", "#1C1C1C"),
    "water": ("#87AFD7", "#00005F"), "sea": ("#87AFD7", "#005F87"), "river": ("#5F87D7", "#0087AF"),
    "ice": ("#FFFFFF", "#949494"), "sand": ("#FFD7AF", "#444444"),
    "urban": ("#D7D7AF", "#6C6C6C"), "quarter": ("#D0D0D0", "#3A3A3A"), "works": ("#C6C6C6", "#444444"),
    "wood": ("#AFD787", "#005F00"), "park": ("#AFD7AF", "#005F00"), "field": ("#E4E4E4", "#1C1C1C"),
    "building": ("#BCBCBC", "#4E4E4E"), "rail": ("#949494", "#767676"), "path": ("#FFFFFF", "#626262"),
    "motorway": ("#D7875F", "#D7875F"), "main": ("#FFAF5F", "#AF8700"), "second": ("#FFD787", "#AF875F"),
    "street": ("#FFFFFF", "#808080"), "runway": ("#AFAFD7", "#5F5F87"),
    "country": ("#875FAF", "#AF87D7"), "region": ("#AFAFD7", "#5F5F87"),
    "name_country": ("#5F0087", "#D7D7FF"), "name_city": ("#121212", "#FFFFFF"),
    "name_place": ("#444444", "#D0D0D0"), "name_water": ("#005F87", "#87D7FF"),
    "name_street": ("#3A3A3A", "#E4E4E4"), "name_green": ("#005F00", "#87D787"),
    "name_poi": ("#870000", "#FFAF87"),
    "halo": ("#EEEEEE", "#1C1C1C"), "mark": ("#AF0000", "#FFAF5F"),
    "shelf": ("#87AFD7", "#00005F"), "square": ("#FFFFFF", "#808080"),
    "dry": (None, None), "desert": ("#FFFFD7", None), "wooded": (None, None), "woods": (None, None),
    "height_200": (None, None), "height_500": (None, "#4E4E4E"), "height_1000": ("#FFFFD7", "#585858"),
    "height_2000": ("#D7D7AF", "#626262"), "height_3500": ("#D7AF87", "#6C6C6C"),
    "depth_200": (None, None), "depth_2000": (None, None), "depth_4000": ("#5F87AF", None), "depth_6000": (None, None),
}

BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE = (
    "#000000", "#CD0000", "#00CD00", "#CDCD00", "#0000EE", "#CD00CD", "#00CDCD", "#E5E5E5")
GREY, LIGHT_GREEN, LIGHT_YELLOW, LIGHT_BLUE, LIGHT_MAGENTA, LIGHT_CYAN, PURE_WHITE = (
    "#7F7F7F", "#00FF00", "#FFFF00", "#5C5CFF", "#FF00FF", "#00FFFF", "#FFFFFF")

BANDS = ["dry", "desert", "wooded", "woods", *(f"height_{metres}" for metres in (200, 500, 1000, 2000, 3500)),
         *(f"depth_{metres}" for metres in (200, 2000, 4000, 6000))]

# None: not drawn.
INDEXED_16 = {
    "land": (WHITE, BLACK), "ground": (WHITE, BLACK),
    "water": (CYAN, BLUE), "sea": (CYAN, BLUE), "river": (BLUE, LIGHT_BLUE),
    "ice": (None, WHITE), "sand": (None, None), "urban": (None, None), "quarter": (None, None), "works": (None, None),
    "wood": (GREEN, GREEN), "park": (GREEN, GREEN), "field": (None, None),
    "building": (None, None), "rail": (GREY, GREY), "path": (None, None),
    "motorway": (RED, LIGHT_YELLOW), "main": (RED, YELLOW), "second": (GREY, WHITE), "street": (GREY, GREY),
    "runway": (MAGENTA, MAGENTA), "country": (MAGENTA, LIGHT_MAGENTA), "region": (GREY, GREY),
    "name_country": (BLACK, PURE_WHITE), "name_city": (BLACK, PURE_WHITE), "name_place": (BLACK, PURE_WHITE),
    "name_water": (BLUE, LIGHT_CYAN), "name_street": (BLACK, WHITE), "name_green": (BLACK, LIGHT_GREEN),
    "name_poi": (RED, LIGHT_YELLOW), "halo": (WHITE, BLACK), "mark": (RED, LIGHT_YELLOW), "shelf": (CYAN, BLUE),
    "square": (None, None),
} | {band: (None, None) for band in BANDS}

# Ink on blank ground, whatever the theme. Areas are drawn by their edges.
INK, FAINT = ("#FFFFFF",) * 2, ("#BBBBBB",) * 2
# The fill of waters: too dark for braille dots and blocks, and blue, so that ASCII shades it.
WATER_SHADE = "#00102A"
MONO = {name: (None, None) for name in FULL} | {
    "land": ("#000000",) * 2, "ground": ("#000000",) * 2, "halo": ("#000000",) * 2,
    "water": INK, "sea": INK, "river": FAINT, "country": INK, "region": FAINT, "building": FAINT, "rail": FAINT,
    "motorway": INK, "main": INK, "second": INK, "street": FAINT, "runway": INK, "mark": INK,
    "shelf": INK,
} | {name: INK for name in FULL if name.startswith("name_")}
