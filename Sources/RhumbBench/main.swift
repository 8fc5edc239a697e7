internal import Rhumb

print("rhumb bench")
