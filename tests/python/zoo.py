"""Small models of public architectures, by transformers and timm where they are at hand: what attest.torch captures of each
attention module is held against the model's own attention probabilities, and the rank against an evaluation with 200 digits.

    zoo.py BUILD_FOLDER [--device cuda] [--jobs N] [--all | TYPE ...]

`--all` tries every type that transformers knows in place of the list below: what comes out small is captured. Ends with a table in
Markdown; the exit status is 1 if anything is wrong.
"""

import argparse
import collections
import concurrent.futures
import math
import multiprocessing
import re
import signal
import sys
import warnings

import numpy
import torch

GIVEN = sys.argv[2:]
del sys.argv[2:]
import captures  # sets the path to attest

sys.argv += [str(captures.BUILD), *GIVEN]  # as a process of the pool reads them again

import attest
import attest.torch

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
TEXT = """albert apertus arcee aria_text bart bert bert-generation big_bird biogpt bitnet blenderbot blenderbot-small bloom camembert codegen cohere cohere2
    convbert ctrl data2vec-text deberta deberta-v2 deepseek_v3 diffllama distilbert doge electra ernie ernie4_5 esm exaone4 falcon
    flaubert fsmt gemma gemma2 gemma3_text glm glm4 glm4_moe gpt2 gpt_bigcode gpt_neox gpt_neox_japanese gpt_oss gptj granite granitemoe
    helium hunyuan_v1_dense ibert jetmoe layoutlm led lfm2 llama llama4_text longformer longt5 luke m2m_100 marian mbart megatron-bert minimax
    ministral mistral mixtral mobilebert modernbert mpnet mpt mt5 mvp nemotron nystromformer olmo olmo2 olmo3 olmoe openai-gpt opt pegasus persimmon
    phi phi3 phimoe plbart prophetnet qwen2 qwen2_moe qwen3 qwen3_moe qwen3_next rembert roberta roberta-prelayernorm roc_bert roformer seed_oss smollm3
    splinter squeezebert stablelm starcoder2 switch_transformers t5 umt5 xglm xlm xlm-roberta xlm-roberta-xl xlnet""".split()
TIMM = """beit_base_patch16_224 cait_xxs24_224 coat_lite_tiny convit_tiny crossvit_tiny_240 deit_tiny_patch16_224 deit3_small_patch16_224 eva02_tiny_patch14_224
    levit_128s maxvit_rmlp_pico_rw_256 mvitv2_tiny pit_ti_224 swin_tiny_patch4_window7_224 swinv2_tiny_window8_256 twins_svt_small vit_tiny_patch16_224
    vit_tiny_r_s16_p8_224 volo_d1_224 xcit_nano_12_p16_224""".split()
SMALL = dict(
    vocab_size=100, hidden_size=64, d_model=64, n_embd=64, dim=64, emb_dim=64, embedding_size=64, encoder_layers=2, decoder_layers=2, num_hidden_layers=2, num_layers=2,
    n_layer=2, n_layers=2, num_decoder_layers=2, num_attention_heads=4, encoder_attention_heads=4, decoder_attention_heads=4, n_head=4, n_heads=4, num_heads=4,
    num_key_value_heads=2, intermediate_size=96, hidden_dim=96, d_ff=96, encoder_ffn_dim=96, decoder_ffn_dim=96, d_kv=16, head_dim=16, d_head=16, d_inner=96,
    max_position_embeddings=64, n_positions=64, pad_token_id=0, bos_token_id=1, eos_token_id=2, num_local_experts=4, num_experts=4, n_routed_experts=4,
    moe_intermediate_size=32, q_lora_rank=24, kv_lora_rank=32, qk_nope_head_dim=16, qk_rope_head_dim=8, v_head_dim=16, n_group=1, topk_group=1,
    num_experts_per_tok=2, first_k_dense_replace=1, rotary_dim=8, dropout=0.0, sliding_window=4, use_cache=False, block_sizes=[1, 1], decoder_start_token_id=1,
    linear_num_value_heads=4, linear_num_key_heads=2, linear_key_head_dim=16, linear_value_head_dim=16, mamba_n_heads=4, mamba_d_head=32, mamba_d_state=16,
    word_embed_proj_dim=64, ffn_dim=96, relative_attention=True, position_biased_input=False, pos_att_type=["p2c", "c2p"], attention_window=4,
    shared_expert_intermediate_size=32, num_encoder_layers=2, intra_bottleneck_size=32, true_hidden_size=32, encoder_num_hidden_layers=2, n_ctx=64, langs=["en"], languages=["en"],
    num_encoder_attention_heads=4, num_decoder_attention_heads=4, image_size=32, patch_size=8, num_channels=3, kv_channels=16, seq_length=64, axial_pos_shape=[4, 4], num_global_layers=2, layer_types=None,
)


def shaken(model):
    """Weights as of a trained model: nothing is 0, coefficients are neither uniform nor saturated."""
    torch.manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.normal_(std=1.3 / parameter[0].numel() ** 0.5)
            else:
                parameter.add_(torch.randn_like(parameter) * 0.2)
    return model.eval()


def of_transformers(kind, attention):
    """A small model of that type and inputs with padding, or with images; ValueError if it does not come out small."""
    import transformers

    transformers.logging.set_verbosity(50)
    config_class = transformers.CONFIG_MAPPING[kind]
    usual = config_class()
    computed = lambda name: isinstance(getattr(config_class, name, None), property)
    given = {name: value for name, value in SMALL.items() if hasattr(usual, name) and not computed(name)}
    if given.get("layer_types", 0) is None:
        given["layer_types"] = (getattr(usual, "layer_types", None) or ["full_attention"])[-2:]
    config = config_class(**given)
    with torch.device("meta"):
        parameters = sum(x.numel() for x in transformers.AutoModel.from_config(config, attn_implementation=attention).parameters())
    if parameters > 3e7:
        raise ValueError(f"{parameters} parameters")
    torch.manual_seed(2)
    model = shaken(transformers.AutoModel.from_config(config, attn_implementation=attention))
    if model.main_input_name == "pixel_values":
        return model, {"pixel_values": torch.randn(2, 3, 32, 32, generator=torch.Generator().manual_seed(1))}
    ids = torch.randint(3, 99, (4, 6), generator=torch.Generator().manual_seed(1))
    ids[:, 0], ids[1, :3] = 3, ids[0, :3]
    inputs = {"input_ids": ids}
    if kind not in ("longformer", "big_bird", "longt5", "led", "xmod", "layoutlm", "lilt", "luke"):
        mask = torch.ones(4, 6, dtype=torch.long)
        mask[2, 4:] = 0
        if not config.is_encoder_decoder:
            mask[3, :2] = 0
        inputs["attention_mask"] = mask
    if config.is_encoder_decoder:
        inputs["decoder_input_ids"] = ids[:, :5].contiguous()
    return model, inputs


def own(model, inputs, other):
    """The attention probabilities that the model itself says, each (B, H, L, n); none if what it puts out is not what the `other`
    way to run it puts out."""
    with torch.no_grad():
        out = model(**inputs, output_attentions=True)
        ends, others = (getattr(x, "last_hidden_state", None) for x in (out, other(**inputs)))
    if ends is not None:
        rows = inputs.get("attention_mask", torch.ones(ends.shape[:2]))
        rows = rows.bool() if rows.shape == ends.shape[:2] else slice(None)  # what is padded may be anything
        if not torch.allclose(ends[rows], others[rows], rtol=1e-3, atol=1e-3 * float(ends[rows].abs().max()), equal_nan=True):
            return None
    found = [x for name in ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions") for x in (getattr(out, name, None) or ())]
    found = [x[0] if isinstance(x, tuple) else x for x in found if x is not None]
    return [x for x in found if float(x.nan_to_num(0).min()) >= 0 and float(x.nan_to_num(0).sum(-1).max()) < 1.001]  # some say logits


def of_timm(kind):
    import timm

    model = shaken(timm.create_model(kind, pretrained=False, num_classes=4))
    return model, (torch.randn(2, *model.default_cfg["input_size"], generator=torch.Generator().manual_seed(1)),)


def distances(captured, probabilities):
    """The largest difference of a coefficient from each of the model's own that is about as many heads, positions and sequences."""
    mine = list(captures.coefficients(captured))
    for own in probabilities:
        if own.dim() != 4 or own.shape[1] != captured.heads or own.shape[2] <= max(p for _, p in captured.examples) or len(own) <= max(b for b, _ in captured.examples):
            yield math.inf
            continue
        worst = 0.0
        for (weights, places), (b, p) in zip(mine, captured.examples):
            row = own[b, :, p].double().numpy()
            if max(places) >= row.shape[1]:
                worst = math.inf
                break
            expected = numpy.zeros_like(row)
            expected[:, places] = weights
            worst = max(worst, float(numpy.nan_to_num(abs(expected - row), nan=9.0).max()))
        yield worst


def row(kind, attention, model, inputs, probabilities, ranked=1):
    """Captures every module; {what: count} and the messages of what is refused or wrong."""
    tally, said = collections.Counter(), []
    met, strange = set(), []  # the model's own that a module's are; modules whose coefficients are none of the model's own
    try:
        modules = attest.torch.modules(model, inputs)
    except Exception as error:
        return collections.Counter(crashed=1), [f"modules: {type(error).__name__}: {error}"]
    for where, call in ((where, call) for where in modules for call in (None, 0)):
        if call == 0 and not shared:
            continue
        shared = False
        try:
            captured = attest.torch.capture(model, inputs, where, positions="all", call=call)
        except attest.InputError as error:
            if "call=0" in str(error):  # layers that share their weights: the first of them
                shared = True
                continue
            tally["refused"] += 1
            said.append(str(error))
            continue
        except Exception as error:
            tally["crashed"] += 1
            said.append(f"{where}: {type(error).__name__}: {error}")
            continue
        tally[captured.form] += 1
        found = list(distances(captured, probabilities))
        alike = {k for k, off in enumerate(found) if off <= 1e-4}
        tally["own"] += bool(alike)
        met |= alike
        if not alike:
            strange += [(where, off, k) for k, off in enumerate(found) if off < math.inf]
        if ranked and len(captured.examples) <= 24 and captured.get("hidden", captured.get("contexts")).shape[1] <= 24:
            ranked -= 1
            rank = attest.rank(**captured)
            expected = captures.rank_of(captures.exact_z(captured))
            if (rank.lower, rank.upper) != (expected, expected):
                tally["WRONG"] += 1
                said.append(f"{where}: rank {rank.lower} .. {rank.upper}, and {expected} with 200 digits")
            tally["ranks"] += 1
    for where, off, k in strange:  # a module may be of those whose coefficients the model does not put out
        if k not in met:
            tally["WRONG"] += 1
            said.append(f"{where}: a coefficient is {off:.3g} from the model's own")
    return tally, said


def one(kind, attention, device):
    """One model: the tally and what is said of its modules; a text in place of the tally if there is no small model of it."""
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError("a minute has passed")))
    signal.alarm(60)
    try:
        try:
            if attention == "timm":
                model, inputs = of_timm(kind)
                probabilities = []
            else:
                model, inputs = of_transformers(kind, attention)
                probabilities = own(*of_transformers(kind, "eager"), model)
                if probabilities is None:
                    return "what it computes with eager attention is something else", []
            model = model.to(device)
            inputs = {name: x.to(device) for name, x in inputs.items()} if isinstance(inputs, dict) else tuple(x.to(device) for x in inputs)
            with torch.no_grad():
                attest.torch._call(model, inputs)
        except Exception as error:
            first = (str(error).split("\n") or [""])[0][:90]
            return f"no small model: {type(error).__name__}: {first}", []
        return row(kind, attention, model, inputs, probabilities)
    finally:
        signal.alarm(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("types", nargs="*")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args(GIVEN)
    text = TEXT
    if options.all:
        import transformers

        text = sorted(transformers.CONFIG_MAPPING)
    wrong, total, alike = 0, collections.Counter(), collections.defaultdict(list)
    done = set()
    everything = [(kind, attention) for kind in text for attention in ("eager", "sdpa")] + [(kind, "timm") for kind in TIMM]
    everything = [(kind, attention) for kind, attention in everything if not options.types or kind in options.types]
    with concurrent.futures.ProcessPoolExecutor(options.jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        results = {pool.submit(one, kind, attention, options.device): (kind, attention) for kind, attention in everything}
        for result in concurrent.futures.as_completed(results):
            (kind, attention), (tally, said) = results[result], result.result()
            if isinstance(tally, str):
                print(f"{kind}, {attention}: {tally}", flush=True)
                continue
            forms = [form for form in ("weights", "projected", "logits") if tally[form]]
            why = {re.sub(r'"[^"]*"|\[.*?\]|[-0-9.e]{4,}', "..", line.split(": ", 1)[-1].split(";")[0])[:110] for line in said}
            alike[", ".join(forms + ["refused: " + line for line in sorted(why)]) or "no attention in two layers"].append(f"{kind} ({attention})")
            print(f"{kind}, {attention}: {dict(tally)}", *said, sep="\n    ", flush=True)
            wrong += tally["WRONG"] + tally["crashed"]
            total.update({name: tally[name] for name in ("weights", "projected", "logits", "refused", "own", "ranks", "WRONG", "crashed")}, models=1)
            total["architectures"] += kind not in done
            done.add(kind)
    print("\n| captured as | architectures |\n|---|---|")
    for form, kinds in sorted(alike.items()):
        merged = collections.defaultdict(list)
        for kind in kinds:
            merged[kind.split(" (")[0]].append(kind.split(" (")[1][:-1])
        print(f"| {form} | {', '.join(kind if of == ['timm'] or len(of) > 1 else f'{kind} ({of[0]})' for kind, of in merged.items())} |")
    print(f"\n{dict(total)}")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
