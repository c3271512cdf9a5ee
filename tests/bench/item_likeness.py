"""How long the search for like items takes among 100 000: `python -m tests.bench.item_likeness [COUNT]`.

The items are made of templates with random numbers, names and words, so that prints and shares are those of real text.
"""

from __future__ import annotations

import random
import statistics
import sys
import time

from itembank.domain.items import read_item
from itembank.domain.likeness import Collection, print_of
from tests.items.cast import fill_in

STEMS = (
    "已知{k}数列 ${{{a}_n\\}}$ 中，${a}_{m}={p}$，${a}_{n}={q}$，求{w} ${a}_{{{r}}}=$ ____ 。",
    "{w}，函数 $f({a})={p}{a}^2-{q}{a}+{r}$ 在区间 $[{m},{n}]$ 上的{k}为 ____ 。",
    "在三角形 $ABC$ 中，$AB={p}$，$AC={q}$，{w}，$\\angle A={r}^\\circ$，则{k}等于 ____ 。",
    "{w}从 ${p}$ 名{k}中选 ${m}$ 名，另外 ${q}$ 人在 ${r}$ 天内完成，不同的安排有 ____ 种。",
    "方程 ${p}{a}^{m}+{q}{a}-{r}=0$ 的{k}，{w}，是 ____ 。",
)
WORDS = "甲乙丙丁戊己庚辛壬癸春夏秋冬东南西北上下左右前后大小多少长短高低远近快慢新旧明暗冷热干湿轻重粗细深浅宽窄"


def item(rng: random.Random, number: int) -> dict[str, object]:
    values = {name: rng.randint(2, 99) for name in "mnpqr"}
    words = {name: "".join(rng.sample(WORDS, rng.randint(4, 9))) for name in "kw"}
    stem = (
        rng.choice(STEMS)
        .format(a=rng.choice("abcdxyzt"), **values, **words)
        .replace("${", "$\\{")
        .replace("\\{\\{", "\\{")
    )
    return fill_in(item_id=f"n{number}", stem=stem)


def main(count: int) -> None:
    rng = random.Random(1)
    items = [read_item(item(rng, number)) for number in range(count)]
    started = time.perf_counter()
    prints = [print_of(one) for one in items]
    printed = time.perf_counter()
    collection = Collection(prints)
    built = time.perf_counter()
    searches = []
    for one in rng.sample(prints, min(200, count)):
        begun = time.perf_counter()
        found = collection.alike(one)
        searches.append((time.perf_counter() - begun) * 1000)
        assert found[0].kind == "exact"
    searches.sort()
    print(f"items {count}")
    print(f"a print of one item        {(printed - started) / count * 1000:8.2f} ms")
    print(f"collection from its prints {built - printed:8.2f} s")
    print(f"one search, median         {statistics.median(searches):8.1f} ms")
    print(f"one search, p99            {searches[int(len(searches) * 0.99) - 1]:8.1f} ms")
    print(f"one search, worst          {searches[-1]:8.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
