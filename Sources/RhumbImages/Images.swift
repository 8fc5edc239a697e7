internal import RhumbCore
