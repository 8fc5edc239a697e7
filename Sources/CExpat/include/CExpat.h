#pragma once
#include <expat.h>
#include <iconv.h>
#include <stdbool.h>

// Expat is loaded for the first XML, because most maps have none.

/// Loads Expat. No other function of this header may be called before, or where it returned false. Called more than
/// once at the same time, it stores the same values.
bool rhumb_expat_load(void);

// Expat's own functions: what they return, what they are called after "XML_", what they take.
#define RHUMB_EXPAT_FUNCTIONS(X) \
    X(const XML_LChar *, ErrorString, (enum XML_Error error), (error)) \
    X(XML_Index, GetCurrentByteIndex, (XML_Parser parser), (parser)) \
    X(XML_Size, GetCurrentLineNumber, (XML_Parser parser), (parser)) \
    X(enum XML_Error, GetErrorCode, (XML_Parser parser), (parser)) \
    X(enum XML_Status, Parse, (XML_Parser parser, const char *bytes, int count, int isFinal), \
      (parser, bytes, count, isFinal)) \
    X(XML_Parser, ParserCreate, (const XML_Char *encoding), (encoding)) \
    X(void, ParserFree, (XML_Parser parser), (parser)) \
    X(void, SetCharacterDataHandler, (XML_Parser parser, XML_CharacterDataHandler handler), (parser, handler)) \
    X(void, SetElementHandler, (XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end), \
      (parser, start, end)) \
    X(void, SetEntityDeclHandler, (XML_Parser parser, XML_EntityDeclHandler handler), (parser, handler)) \
    X(void, SetSkippedEntityHandler, (XML_Parser parser, XML_SkippedEntityHandler handler), (parser, handler)) \
    X(void, SetUserData, (XML_Parser parser, void *data), (parser, data)) \
    X(enum XML_Status, StopParser, (XML_Parser parser, XML_Bool isResumable), (parser, isResumable)) \
    X(enum XML_Error, UseForeignDTD, (XML_Parser parser, XML_Bool isUsed), (parser, isUsed))

#define X(type, name, parameters, arguments) type rhumb_expat_##name parameters;
RHUMB_EXPAT_FUNCTIONS(X)
#undef X
