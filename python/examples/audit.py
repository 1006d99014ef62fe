# %% [markdown]
# # An audit of a shuffler of one's own
# Opens as a notebook in Jupyter (with jupytext) and in VS Code; `python/test.sh` runs it.

# %%
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

import deckproof

# %% [markdown]
# The shuffler: here NumPy's, with a stated seed. A deck is 52 numbers, the top card first, in the order of their dealing.

# %%
rng = np.random.default_rng(20261126)
decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (20_000, 1)), axis=1)

# %% [markdown]
# Every statistic, its p-value, and the one number that the verdict rests on.

# %%
certificate = deckproof.audit(decks)
print(certificate.sentence)
p_values = {name: (n, p) for name, n, p, _ in certificate.p_values}
n, p = p_values["deck.card-place.total"]
print(f"chi-square, card × place (positional uniformity): p = {p:.4f}, n = {n:,}; null hypothesis: every order is equally likely")

# %% [markdown]
# The certificate is a file that anybody judges again, here or with `deckproof verify`.

# %%
file = Path(mkdtemp()) / "certificate.json"
file.write_text(certificate.to_json(), encoding="utf-8")
print(deckproof.rejudge(file)["verdict"])

# %% [markdown]
# A dealer whose last swap is missing (the card at place 51 never moves down) does not pass.

# %%
flawed = decks.copy()
flawed[:, 50:] = np.sort(flawed[:, 50:], axis=1)
print(deckproof.audit(flawed).verdict)
