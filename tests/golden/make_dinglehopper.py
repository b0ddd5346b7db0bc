"""Write dinglehopper.json: the texts of generated pages, and their error rates.

It needs dinglehopper 0.11.0 and multimethod 1.10:

python tests/golden/make_dinglehopper.py
"""

import json
import random
import tempfile
from importlib.metadata import version
from pathlib import Path

from dinglehopper.character_error_rate import character_error_rate_n
from dinglehopper.ocr_files import extract
from dinglehopper.word_error_rate import word_error_rate_n

PAGE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
ALTO = "http://www.loc.gov/standards/alto/ns-v3#"
WORDS = ["Ein", "alter", "Text", "über", "Höhe", "und", "Größe", "&amp;", "1848", "x"]


def lines(generator):
    return [" ".join(generator.choices(WORDS, k=generator.randint(1, 5))) for _ in range(generator.randint(1, 4))]


def equivalent(generator, text):
    """Return a transcription, or several with indices or confidences."""
    kind = generator.choice(["one", "one", "indices", "confidences", "plain", "none"])
    if kind == "none":
        return ""
    texts = [text] if kind == "one" else [text, text[::-1].replace(";pma&", "&amp;"), "other"]
    attributes = {
        "indices": [' index="2"', ' index="0"', ' index="1"'],
        "confidences": [' conf="0.5"', ' conf="0.25"', ' conf="0.75"'],
    }.get(kind, [""] * 3)
    pairs = zip(texts, attributes, strict=False)
    return "".join(f"<TextEquiv{own}><Unicode>{each}</Unicode></TextEquiv>" for each, own in pairs)


def page(generator):
    regions, ids = [], []
    for number in range(generator.randint(1, 5)):
        ids.append(f"r{number}")
        texts = lines(generator)
        parts = [
            f'<TextLine id="r{number}l{i}">{equivalent(generator, each)}</TextLine>' for i, each in enumerate(texts)
        ]
        parts.append(equivalent(generator, "\n".join(texts)))
        regions.append(f'<TextRegion id="r{number}">{"".join(parts)}</TextRegion>')
    order = ""
    kind = generator.choice(["none", "ordered", "unordered", "nested"])
    if kind != "none":
        shuffled = generator.sample(ids, len(ids))
        if kind == "ordered":
            parts = "".join(f'<RegionRefIndexed index="{i}" regionRef="{each}"/>' for i, each in enumerate(shuffled))
            parts = parts + '<RegionRefIndexed index="99" regionRef="absent"/>'
            order = f'<OrderedGroup id="g">{parts}</OrderedGroup>'
        elif kind == "unordered":
            parts = "".join(f'<RegionRef regionRef="{each}"/>' for each in shuffled)
            order = f'<UnorderedGroup id="g">{parts}</UnorderedGroup>'
        else:
            inner = "".join(f'<RegionRef regionRef="{each}"/>' for each in shuffled[1:])
            order = (
                f'<OrderedGroup id="g"><UnorderedGroupIndexed id="h" index="1">{inner}</UnorderedGroupIndexed>'
                f'<RegionRefIndexed index="0" regionRef="{shuffled[0]}"/></OrderedGroup>'
            )
        order = f"<ReadingOrder>{order}</ReadingOrder>"
    content = f'<PcGts xmlns="{PAGE}"><Page>{order}{"".join(regions)}</Page></PcGts>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{content}'


def alto(generator):
    rows = []
    for line in lines(generator):
        strings = "<SP/>".join(f'<String CONTENT="{word}"/>' for word in line.split())
        rows.append(f"<TextLine>{strings}</TextLine>")
    block = f"<TextBlock>{''.join(rows)}</TextBlock>"
    return f'<alto xmlns="{ALTO}"><Layout><Page><PrintSpace>{block}</PrintSpace></Page></Layout></alto>'


def main():
    generator = random.Random(1)
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(60):
            pair = []
            for side in ("reference", "hypothesis"):
                file = Path(folder, f"{side}{i}.xml")
                file.write_text((alto if (i + len(pair)) % 3 == 0 else page)(generator), encoding="utf-8")
                levels = (extract(str(file), textequiv_level=level) for level in ("region", "line"))
                pair.append((file.read_text(encoding="utf-8"), *levels))
            (reference, text, text_of_lines), (hypothesis, own, own_lines) = pair
            cases.append(
                {
                    "pages": [reference, hypothesis],
                    "texts": [text.text, own.text],
                    "lines": [text_of_lines.text, own_lines.text],
                    "cer": character_error_rate_n(text, own),
                    "wer": word_error_rate_n(text, own),
                }
            )
    data = {"tool": "dinglehopper", "version": version("dinglehopper"), "cases": cases}
    target = Path(__file__).with_name("dinglehopper.json")
    target.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
