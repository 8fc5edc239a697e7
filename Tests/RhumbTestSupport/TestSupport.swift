internal import Rhumb
