// The library as one import: everything a program needs to open sources and run a map.
@_exported public import RhumbCore
@_exported public import RhumbDrawing
@_exported public import RhumbEngine
@_exported public import RhumbHTTP
@_exported public import RhumbOffline
@_exported public import RhumbOpening
@_exported public import RhumbStore
