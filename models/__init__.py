"""How weights are made (renderer, training, evaluation), and the weights with their cards.

At run time only `models/weights` is read, and `models/table` by the demo; training code is never imported.
"""
