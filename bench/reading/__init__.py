"""The blind reading: who knows the rules writes down what small pictures show; it is compared with the truth.

``python -m bench.reading paint --out DIR --seed N`` paints the pictures and the forms;
``python -m bench.reading score DIR`` compares the answers. The truth lies in ``DIR-truth``.
"""
