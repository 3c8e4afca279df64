"""The engine: what a game is to it, line-ups, blocks of playouts on threads, replay by tape."""
