"""The virtual table: photos of boards that never existed, with exact truth.

fonts     typefaces of this machine that can be printed on a tile
textures  procedural wood, cloth, noise
editions  boards: colours, print, frames; drawn flat
tiles     tile styles; one tile's top drawn flat
handwriting  letters in felt-tip pen
fillings  which tile lies on which square
scene     SceneParams -> photo, corners, board (perspective, thickness, light, lens, sensor)
others    photos without a board: other games, keyboards, floors, rooms
film      a game as a film: hands lay tiles, frame by frame
whole_film  a whole legal game as a film, with all that happens at a table, and what is to be found in it
darkroom  develops the frames of a film, again only where they have changed
sprites   hands and paws drawn once, laid over the table at any place
drawn_game, games  whole legal games drawn by chance, and as photos
demo      a short German game as photos

All pictures are BGR uint8; lengths are in squares unless a name says pixels.
"""
