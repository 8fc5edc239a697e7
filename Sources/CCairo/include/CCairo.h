#pragma once
#include <cairo/cairo.h>
#include <stdbool.h>

// Cairo brings a good fifteen other libraries along, of windows and of fonts, which take half of the time until the
// program begins. So it is loaded beside that, or when something is drawn for the first time.

/// Loads Cairo. No other function of this header may be called before, or if it returned false.
bool rhumb_cairo_load(void);

// The functions of Cairo: name after "cairo_", result, parameters, arguments.
#define RHUMB_CAIRO_FUNCTIONS(X) \
    X(arc, void, (cairo_t *c, double x, double y, double radius, double from, double to), (c, x, y, radius, from, to)) \
    X(clip, void, (cairo_t *c), (c)) \
    X(clip_preserve, void, (cairo_t *c), (c)) \
    X(close_path, void, (cairo_t *c), (c)) \
    X(create, cairo_t *, (cairo_surface_t *surface), (surface)) \
    X(destroy, void, (cairo_t *c), (c)) \
    X(fill, void, (cairo_t *c), (c)) \
    X(fill_preserve, void, (cairo_t *c), (c)) \
    X(get_scaled_font, cairo_scaled_font_t *, (cairo_t *c), (c)) \
    X(get_source, cairo_pattern_t *, (cairo_t *c), (c)) \
    X(glyph_free, void, (cairo_glyph_t *glyphs), (glyphs)) \
    X(image_surface_create_for_data, cairo_surface_t *, \
      (unsigned char *data, cairo_format_t format, int width, int height, int stride), (data, format, width, height, stride)) \
    X(line_to, void, (cairo_t *c, double x, double y), (c, x, y)) \
    X(matrix_init, void, \
      (cairo_matrix_t *matrix, double xx, double yx, double xy, double yy, double x0, double y0), \
      (matrix, xx, yx, xy, yy, x0, y0)) \
    X(move_to, void, (cairo_t *c, double x, double y), (c, x, y)) \
    X(new_path, void, (cairo_t *c), (c)) \
    X(new_sub_path, void, (cairo_t *c), (c)) \
    X(paint, void, (cairo_t *c), (c)) \
    X(paint_with_alpha, void, (cairo_t *c, double alpha), (c, alpha)) \
    X(pattern_set_extend, void, (cairo_pattern_t *pattern, cairo_extend_t extend), (pattern, extend)) \
    X(pattern_set_filter, void, (cairo_pattern_t *pattern, cairo_filter_t filter), (pattern, filter)) \
    X(pattern_set_matrix, void, (cairo_pattern_t *pattern, const cairo_matrix_t *matrix), (pattern, matrix)) \
    X(rectangle, void, (cairo_t *c, double x, double y, double width, double height), (c, x, y, width, height)) \
    X(restore, void, (cairo_t *c), (c)) \
    X(save, void, (cairo_t *c), (c)) \
    X(scaled_font_text_to_glyphs, cairo_status_t, \
      (cairo_scaled_font_t *font, double x, double y, const char *text, int length, cairo_glyph_t **glyphs, int *count, \
       cairo_text_cluster_t **clusters, int *clusterCount, cairo_text_cluster_flags_t *flags), \
      (font, x, y, text, length, glyphs, count, clusters, clusterCount, flags)) \
    X(select_font_face, void, (cairo_t *c, const char *family, cairo_font_slant_t slant, cairo_font_weight_t weight), \
      (c, family, slant, weight)) \
    X(set_antialias, void, (cairo_t *c, cairo_antialias_t antialias), (c, antialias)) \
    X(set_dash, void, (cairo_t *c, const double *dashes, int count, double offset), (c, dashes, count, offset)) \
    X(set_fill_rule, void, (cairo_t *c, cairo_fill_rule_t rule), (c, rule)) \
    X(set_font_size, void, (cairo_t *c, double size), (c, size)) \
    X(set_line_cap, void, (cairo_t *c, cairo_line_cap_t cap), (c, cap)) \
    X(set_line_join, void, (cairo_t *c, cairo_line_join_t join), (c, join)) \
    X(set_line_width, void, (cairo_t *c, double width), (c, width)) \
    X(set_miter_limit, void, (cairo_t *c, double limit), (c, limit)) \
    X(set_source_rgb, void, (cairo_t *c, double red, double green, double blue), (c, red, green, blue)) \
    X(set_source_rgba, void, (cairo_t *c, double red, double green, double blue, double alpha), (c, red, green, blue, alpha)) \
    X(set_source_surface, void, (cairo_t *c, cairo_surface_t *surface, double x, double y), (c, surface, x, y)) \
    X(set_tolerance, void, (cairo_t *c, double tolerance), (c, tolerance)) \
    X(status, cairo_status_t, (cairo_t *c), (c)) \
    X(stroke_preserve, void, (cairo_t *c), (c)) \
    X(surface_destroy, void, (cairo_surface_t *surface), (surface)) \
    X(surface_flush, void, (cairo_surface_t *surface), (surface)) \
    X(surface_status, cairo_status_t, (cairo_surface_t *surface), (surface)) \
    X(text_path, void, (cairo_t *c, const char *text), (c, text))

#define X(name, type, parameters, arguments) type rhumb_cairo_##name parameters;
RHUMB_CAIRO_FUNCTIONS(X)
#undef X
