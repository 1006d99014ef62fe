#!/usr/bin/env python3
"""Draws paper/detection.png from reports/power_default.txt: python3 paper/figure.py (needs matplotlib)."""

import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

root = Path(__file__).parent.parent
rows = re.findall(r"^ ([a-z0-9-]+) +([\d,]+|-) +([\d,]+|-) +(\d+) of (\d+)  (.*)$",
                  (root / "reports/power_default.txt").read_text(encoding="utf-8"), re.MULTILINE)
flawed = [row for row in rows if not row[5].strip().startswith("a control")]
needed = sorted(int(row[1].replace(",", "")) for row in flawed if row[1] != "-")

figure, axes = plt.subplots(figsize=(6, 3))
axes.step([needed[0], *needed, 1_000_000], [0, *range(1, len(needed) + 1), len(needed)], where="post", color="#1f4e79")
axes.axhline(len(flawed), color="grey", linestyle="--", linewidth=0.8)
axes.set(xscale="log", xlabel="decks", ylabel="dealers detected under all seeds", xlim=(8, 1_100_000), ylim=(0, len(flawed) + 8))
axes.text(9, len(flawed) + 1.5, f"{len(flawed)} flawed dealers", color="grey", fontsize=8)
figure.tight_layout()
figure.savefig(Path(__file__).parent / "detection.png", dpi=150, metadata={"Software": None})
controls = len(rows) - len(flawed)
print(f"{len(needed)} of {len(flawed)} flawed dealers under all seeds; {controls} controls; "
      + ", ".join(f"{sum(own <= most for own in needed)} by {most:,}" for most in (100, 10_000, 1_000_000)))
