"""pycocoevalcap's `pycocoevalcap.eval`: all metrics of a set of captions."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from refscore.compat.pycocoevalcap.bleu.bleu import Bleu
from refscore.compat.pycocoevalcap.cider.cider import Cider
from refscore.compat.pycocoevalcap.meteor.meteor import Meteor
from refscore.compat.pycocoevalcap.rouge.rouge import Rouge
from refscore.compat.pycocoevalcap.spice.spice import Spice
from refscore.compat.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

__all__ = ["Bleu", "COCOEvalCap", "Cider", "Meteor", "PTBTokenizer", "Rouge", "Spice"]


class COCOEvalCap:
    """Compute BLEU, ROUGE-L and CIDEr-D of captions. METEOR and SPICE are Java programs, and are left out.

    `coco` has the references and `cocoRes` the captions, as pycocotools' class COCO or any with `getImgIds()` and
    `imgToAnns`. `eval` has the score of each metric, and `imgToEval` the scores of each image.
    """

    def __init__(self, coco: Any, cocoRes: Any) -> None:
        self.evalImgs: list[dict[str, Any]] = []
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Any, dict[str, Any]] = {}
        self.coco = coco
        self.cocoRes = cocoRes
        self.params = {"image_id": coco.getImgIds()}

    def evaluate(self) -> None:
        """Compute and print all scores, and warn that METEOR and SPICE are missing."""
        warnings.warn(
            "refscore does not compute METEOR and SPICE of pycocoevalcap, which are Java programs: for these, pip "
            "install pycocoevalcap==1.2",
            stacklevel=2,
        )
        images = self.params["image_id"]
        print("tokenization...")
        tokenizer = PTBTokenizer()
        gts = tokenizer.tokenize({image: self.coco.imgToAnns[image] for image in images})
        res = tokenizer.tokenize({image: self.cocoRes.imgToAnns[image] for image in images})
        print("setting up scorers...")
        bleu = Bleu(4)
        print(f"computing {bleu.method()} score...")
        bleus, by_order = bleu.compute_score(gts, res)
        for order, (score, scores) in enumerate(zip(bleus, by_order, strict=True), 1):
            self._add(score, scores, gts, f"Bleu_{order}")
        for scorer, name in ((Rouge(), "ROUGE_L"), (Cider(), "CIDEr")):
            print(f"computing {scorer.method()} score...")
            mean, values = scorer.compute_score(gts, res)
            self._add(mean, values, gts, name)
        self.setEvalImgs()

    def _add(self, score: Any, scores: Any, images: Iterable[Any], name: str) -> None:
        self.setEval(score, name)
        self.setImgToEvalImgs(scores, images, name)
        print(f"{name}: {score:0.3f}")

    def setEval(self, score: Any, method: str) -> None:
        self.eval[method] = score

    def setImgToEvalImgs(self, scores: Iterable[Any], imgIds: Iterable[Any], method: str) -> None:
        for image, score in zip(imgIds, scores, strict=False):
            self.imgToEval.setdefault(image, {"image_id": image})[method] = score

    def setEvalImgs(self) -> None:
        self.evalImgs = list(self.imgToEval.values())
