internal import Rhumb

print("rhumb")
