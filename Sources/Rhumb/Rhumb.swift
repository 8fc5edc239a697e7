// The library as a single import: everything that a program needs to open sources and show a map.
@_exported public import RhumbCore
@_exported public import RhumbDrawing
@_exported public import RhumbEngine
@_exported public import RhumbHTTP
@_exported public import RhumbOffline
@_exported public import RhumbOpening
@_exported public import RhumbStore
