#pragma once
#include <cairo/cairo.h>
#include <stdbool.h>

// Cairo brings a good fifteen other libraries along, of windows and of fonts, which take half of the time until the
// program begins. So it is loaded beside that, or when something is drawn for the first time.

/// Loads Cairo. No other function of this header may be called before, or where it returned false.
bool rhumb_cairo_load(void);

// Cairo's own functions: what they return, what they are called after "cairo_", what they take.
#define RHUMB_CAIRO_FUNCTIONS(X) \
    X(void, arc, (cairo_t *c, double x, double y, double radius, double from, double to), (c, x, y, radius, from, to)) \
    X(void, clip, (cairo_t *c), (c)) \
    X(void, clip_preserve, (cairo_t *c), (c)) \
    X(void, close_path, (cairo_t *c), (c)) \
    X(cairo_t *, create, (cairo_surface_t *surface), (surface)) \
    X(void, destroy, (cairo_t *c), (c)) \
    X(void, fill, (cairo_t *c), (c)) \
    X(void, fill_preserve, (cairo_t *c), (c)) \
    X(cairo_scaled_font_t *, get_scaled_font, (cairo_t *c), (c)) \
    X(cairo_pattern_t *, get_source, (cairo_t *c), (c)) \
    X(void, glyph_free, (cairo_glyph_t *glyphs), (glyphs)) \
    X(cairo_surface_t *, image_surface_create_for_data, \
      (unsigned char *data, cairo_format_t format, int width, int height, int stride), (data, format, width, height, stride)) \
    X(void, line_to, (cairo_t *c, double x, double y), (c, x, y)) \
    X(void, matrix_init, \
      (cairo_matrix_t *matrix, double xx, double yx, double xy, double yy, double x0, double y0), \
      (matrix, xx, yx, xy, yy, x0, y0)) \
    X(void, move_to, (cairo_t *c, double x, double y), (c, x, y)) \
    X(void, new_path, (cairo_t *c), (c)) \
    X(void, new_sub_path, (cairo_t *c), (c)) \
    X(void, paint, (cairo_t *c), (c)) \
    X(void, paint_with_alpha, (cairo_t *c, double alpha), (c, alpha)) \
    X(void, pattern_set_extend, (cairo_pattern_t *pattern, cairo_extend_t extend), (pattern, extend)) \
    X(void, pattern_set_filter, (cairo_pattern_t *pattern, cairo_filter_t filter), (pattern, filter)) \
    X(void, pattern_set_matrix, (cairo_pattern_t *pattern, const cairo_matrix_t *matrix), (pattern, matrix)) \
    X(void, rectangle, (cairo_t *c, double x, double y, double width, double height), (c, x, y, width, height)) \
    X(void, restore, (cairo_t *c), (c)) \
    X(void, save, (cairo_t *c), (c)) \
    X(cairo_status_t, scaled_font_text_to_glyphs, \
      (cairo_scaled_font_t *font, double x, double y, const char *text, int length, cairo_glyph_t **glyphs, int *count, \
       cairo_text_cluster_t **clusters, int *clusterCount, cairo_text_cluster_flags_t *flags), \
      (font, x, y, text, length, glyphs, count, clusters, clusterCount, flags)) \
    X(void, select_font_face, (cairo_t *c, const char *family, cairo_font_slant_t slant, cairo_font_weight_t weight), \
      (c, family, slant, weight)) \
    X(void, set_antialias, (cairo_t *c, cairo_antialias_t antialias), (c, antialias)) \
    X(void, set_dash, (cairo_t *c, const double *dashes, int count, double offset), (c, dashes, count, offset)) \
    X(void, set_fill_rule, (cairo_t *c, cairo_fill_rule_t rule), (c, rule)) \
    X(void, set_font_size, (cairo_t *c, double size), (c, size)) \
    X(void, set_line_cap, (cairo_t *c, cairo_line_cap_t cap), (c, cap)) \
    X(void, set_line_join, (cairo_t *c, cairo_line_join_t join), (c, join)) \
    X(void, set_line_width, (cairo_t *c, double width), (c, width)) \
    X(void, set_miter_limit, (cairo_t *c, double limit), (c, limit)) \
    X(void, set_source_rgb, (cairo_t *c, double red, double green, double blue), (c, red, green, blue)) \
    X(void, set_source_rgba, (cairo_t *c, double red, double green, double blue, double alpha), (c, red, green, blue, alpha)) \
    X(void, set_source_surface, (cairo_t *c, cairo_surface_t *surface, double x, double y), (c, surface, x, y)) \
    X(void, set_tolerance, (cairo_t *c, double tolerance), (c, tolerance)) \
    X(cairo_status_t, status, (cairo_t *c), (c)) \
    X(void, stroke_preserve, (cairo_t *c), (c)) \
    X(void, surface_destroy, (cairo_surface_t *surface), (surface)) \
    X(void, surface_flush, (cairo_surface_t *surface), (surface)) \
    X(cairo_status_t, surface_status, (cairo_surface_t *surface), (surface)) \
    X(void, text_path, (cairo_t *c, const char *text), (c, text))

#define X(type, name, parameters, arguments) type rhumb_cairo_##name parameters;
RHUMB_CAIRO_FUNCTIONS(X)
#undef X
