"""Makes the int8 copy in a process of its own: ``python -m core.encoders.onnx_child MODEL TARGET``.

The check against the original needs torch, which would stay in the server's memory (500 MB).
The process ends with status 0 only when the copy at TARGET has passed the check.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from core.encoders.bert_graph import bert_embedding_model
from core.encoders.onnx_int8 import OnnxSession
from core.encoders.sentence_transformer import BundledEncoder

_MEAN_COSINE, _WORST_COSINE = 0.99, 0.95  # measured on 160 chunks of real PDFs: .993 and .980

_SENTENCES = (
    "warfarin",
    "Do not take metformin with severe kidney disease.",
    "The maximum daily dose is 3,000 mg in 2 or 3 divided doses.",
    "Take 2.5 mg once a week, never daily; 7.5 mg to 20 mg in psoriasis.",
    "Very common (≥ 1/10): nausea, vomiting, diarrhoea, abdominal pain.",
    "What are the contraindications of ibuprofen in the third trimester?",
    "Nehmen Sie das Arzneimittel nicht ein, wenn Sie allergisch gegen Sertralin sind.",
    "No tome este medicamento con alcohol ni con otros anticoagulantes.",
    "Ne prenez jamais une dose double pour compenser la dose oubliée.",
    "INR 2.0–3.0; HbA1c 7.2 % (55 mmol/mol); eGFR < 30 mL/min/1.73 m²",
    "Inhibition of CYP2C9 raises the plasma concentration of S-warfarin.",
    "A randomised trial compared statins with placebo in 4,444 patients.",
    "Keep out of the sight and reach of children. Store below 25 °C.",
    "二甲双胍用于治疗2型糖尿病。",
    "1, 2, 3",
)
# Each alone, each with those that follow it, and some beyond the 256 tokens that the model reads.
SAMPLES = (
    *_SENTENCES,
    *(" ".join(_SENTENCES[start : start + 5]) for start in range(11)),
    *(" ".join(_SENTENCES[start:] * 3) for start in range(4)),
)


def main(folder: Path, target: Path) -> None:
    """Write the copy of the model in `folder` to `target`, checked.

    Raises:
        ModelError: the weights are not the pinned ones.
        RuntimeError: the copy's vectors are too far from the original's.
    """
    original = BundledEncoder()
    expected = original.encode(SAMPLES)  # checks the weights' hash, too

    from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text("utf-8"))
    model = bert_embedding_model(load_file(folder / "model.safetensors"), config)
    quantize_dynamic(model, target, weight_type=QuantType.QInt8, per_channel=True)
    copy = OnnxSession(target, folder / "tokenizer.json", original.max_tokens)
    cosines = [
        float(copy.encode_batch([text])[0] @ vector)
        for text, vector in zip(SAMPLES, expected, strict=True)
    ]
    mean, worst = sum(cosines) / len(cosines), min(cosines)
    print(f"cosine with the original: mean {mean:.4f}, worst {worst:.4f}")
    if not (mean >= _MEAN_COSINE and worst >= _WORST_COSINE):
        raise RuntimeError(f"the int8 copy differs: mean {mean:.4f}, worst {worst:.4f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
