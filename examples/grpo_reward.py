"""BLEU and chrF as a reward for GRPO: first called directly, then by TRL's trainer.

The second part needs `pip install trl` and is skipped without it. It creates a tiny model with random weights, so
nothing is downloaded. One step on the CPU takes a few seconds.
"""

import importlib.util
import tempfile

from refscore.rewards import Reward

REFERENCES = {
    "Translate: die Fähre legt um sieben ab": ["the ferry leaves at seven", "the ferry departs at seven"],
    "Translate: es regnete drei Tage lang": ["it rained for three days"],
}

# Three quarters BLEU (sacrebleu's sentence_bleu), one quarter chrF. Only the text between the tags counts.
reward = Reward({"bleu": 0.75, "chrf": 0.25}, references="translations", extract=r"<answer>(.*?)</answer>")

# The arguments that a trainer passes: two completions per prompt, and the columns of the dataset, repeated to match.
prompts = [prompt for prompt in REFERENCES for _ in range(2)]
completions = [
    "A ship, so: <answer>the ferry departs at seven</answer>",
    "<answer>the ferry leaves at eight</answer>",
    [{"role": "assistant", "content": "<answer>it rained three days</answer>"}],  # chats are also supported
    "it rained for three days",  # without the tags, there is no answer
]
rewards = reward(prompts=prompts, completions=completions, translations=[REFERENCES[prompt] for prompt in prompts])
print(f"{reward.__name__}:", *(f"{value:.4f}" for value in rewards))

# verl scores one completion at a time. Your file only needs the line `compute_score = reward.compute_score`.
print(f"verl: {reward.compute_score('demo', completions[0], REFERENCES[prompts[0]]):.4f}")


def train_one_step() -> None:
    """Run one step of GRPO with an untrained model."""
    import torch
    from datasets import Dataset
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
    from trl import GRPOConfig, GRPOTrainer

    torch.manual_seed(1)
    texts = [*REFERENCES, *(text for group in REFERENCES.values() for text in group)]
    words = sorted({word for text in texts for word in text.split()})
    vocabulary = {word: i for i, word in enumerate(["<pad>", "<eos>", "<unk>", *words])}
    base = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    base.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=base, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>", padding_side="left"
    )
    size = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    special = {"pad_token_id": 0, "eos_token_id": 1, "bos_token_id": None}
    model = Qwen2ForCausalLM(
        Qwen2Config(vocab_size=len(vocabulary), num_key_value_heads=2, max_position_embeddings=64, **size, **special)
    )
    dataset = Dataset.from_list([{"prompt": prompt, "translations": group} for prompt, group in REFERENCES.items()])
    with tempfile.TemporaryDirectory() as folder:
        settings = GRPOConfig(
            output_dir=folder,
            per_device_train_batch_size=16,
            num_generations=8,
            max_completion_length=8,
            max_steps=1,
            learning_rate=1e-3,
            logging_steps=1,
            report_to=[],
            save_strategy="no",
            use_cpu=True,
            disable_tqdm=True,
        )
        # The untrained model does not produce tags, so this reward does not require them.
        plain = Reward({"bleu": 0.75, "chrf": 0.25}, references="translations")
        trainer = GRPOTrainer(
            model=model, reward_funcs=plain, args=settings, train_dataset=dataset, processing_class=tokenizer
        )
        before = {name: value.clone() for name, value in model.state_dict().items()}
        trainer.train()
        logged = next(entry for entry in trainer.state.log_history if "reward" in entry)
        changed = sum(not torch.equal(before[name], value) for name, value in model.state_dict().items())
    print(f"TRL: rewards/{plain.__name__}/mean = {logged[f'rewards/{plain.__name__}/mean']:.4f}")
    print(f"     {plain.__name__}/chrf = {logged[f'{plain.__name__}/chrf']:.4f}")
    print(f"     {changed} of {len(before)} tensors of the model have changed")


if __name__ == "__main__":
    if importlib.util.find_spec("trl") is None:
        print("TRL is not installed (pip install trl): skipping the training step")
    else:
        train_one_step()
