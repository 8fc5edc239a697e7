// The core of Rhumb: seven modules without I/O, imported together.
@_exported public import RhumbBase
@_exported public import RhumbCells
@_exported public import RhumbGeo
@_exported public import RhumbOverlays
@_exported public import RhumbServices
@_exported public import RhumbVector
@_exported public import RhumbWeb
