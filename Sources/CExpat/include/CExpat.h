#pragma once
#include <expat.h>
#include <iconv.h>
#include <stdbool.h>

// Expat is loaded for the first XML, because most maps have none.

/// Loads Expat. No other function of this header may be called before, or if it returned false.
bool rhumb_expat_load(void);

// The functions of Expat: name after "XML_", result, parameters, arguments.
#define RHUMB_EXPAT_FUNCTIONS(X) \
    X(ErrorString, const XML_LChar *, (enum XML_Error error), (error)) \
    X(GetCurrentByteIndex, XML_Index, (XML_Parser parser), (parser)) \
    X(GetCurrentLineNumber, XML_Size, (XML_Parser parser), (parser)) \
    X(GetErrorCode, enum XML_Error, (XML_Parser parser), (parser)) \
    X(Parse, enum XML_Status, (XML_Parser parser, const char *bytes, int count, int isFinal), \
      (parser, bytes, count, isFinal)) \
    X(ParserCreate, XML_Parser, (const XML_Char *encoding), (encoding)) \
    X(ParserFree, void, (XML_Parser parser), (parser)) \
    X(SetCharacterDataHandler, void, (XML_Parser parser, XML_CharacterDataHandler handler), (parser, handler)) \
    X(SetElementHandler, void, (XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end), \
      (parser, start, end)) \
    X(SetEntityDeclHandler, void, (XML_Parser parser, XML_EntityDeclHandler handler), (parser, handler)) \
    X(SetSkippedEntityHandler, void, (XML_Parser parser, XML_SkippedEntityHandler handler), (parser, handler)) \
    X(SetUserData, void, (XML_Parser parser, void *data), (parser, data)) \
    X(StopParser, enum XML_Status, (XML_Parser parser, XML_Bool isResumable), (parser, isResumable)) \
    X(UseForeignDTD, enum XML_Error, (XML_Parser parser, XML_Bool isUsed), (parser, isUsed))

#define X(name, type, parameters, arguments) type rhumb_expat_##name parameters;
RHUMB_EXPAT_FUNCTIONS(X)
#undef X
