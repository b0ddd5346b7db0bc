"""Small subword models for tests, one per package."""

import importlib
import importlib.util
import io
import random
from functools import cache

WORDS = "the cat sat on a mat while dogs ran over green fields 東京 に 行き ました . , Straße ½ naïve".split()  # noqa: SIM905


def sentences(size, seed=1):
    generator = random.Random(seed)
    return [" ".join(generator.choices(WORDS, k=generator.randrange(1, 20))) for _ in range(size)]


def trained(**options):
    sentencepiece = importlib.import_module("sentencepiece")
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences(300)),
        model_writer=written,
        vocab_size=90,
        hard_vocab_limit=False,
        minloglevel=2,
        **options,
    )
    return written.getvalue()


@cache
def small():
    """Return a sentencepiece model, trained once."""
    return importlib.import_module("sentencepiece").SentencePieceProcessor(model_proto=trained())


def imported_tokenizers():
    """Import the package by one of its modules, because this folder has the same name."""
    importlib.import_module("tokenizers.models")
    return importlib.import_module("tokenizers")


def hugging_face():
    package = imported_tokenizers()
    made = package.Tokenizer(package.models.BPE())
    made.pre_tokenizer = package.pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = package.pre_tokenizers.ByteLevel.alphabet()
    trainer = package.trainers.BpeTrainer(
        vocab_size=320, show_progress=False, initial_alphabet=alphabet, special_tokens=["<s>"]
    )
    made.train_from_iterator(sentences(200), trainer)
    made.post_processor = package.processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    return made


def tiktoken_encoding():
    package = importlib.import_module("tiktoken")
    ranks = {bytes([i]): i for i in range(256)}
    ranks |= {b"th": 256, b"the": 257, "é".encode(): 258, b" c": 259, b" ca": 260}
    return package.Encoding("tiny", pat_str=r" ?\S+|\s+", mergeable_ranks=ranks, special_tokens={"<|end|>": 261})


def is_installed(module):
    """Return whether a module can be imported. The folder of these tests has the name of a package."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


OBJECTS = {"sentencepiece": small, "tokenizers.models": hugging_face, "tiktoken": tiktoken_encoding}
INSTALLED = {module: make for module, make in OBJECTS.items() if is_installed(module)}
