"""What attest-check-proved has to reject, for check_proved: changes of shipped problems and certificates."""
import copy
import json
import re
import struct

def changed(document, change):
    out = copy.deepcopy(document)
    change(out)
    return out


def nothing(_):
    pass


def renumbered(step, number):
    """A copy with other numbers of steps, in its keys and in names such as Z(3)."""
    out = copy.deepcopy(step)
    for key in ("of", "fact"):
        if isinstance(out.get(key), str):
            out[key] = re.sub(r"\b(Z|J|capacity)\((\d+)\)", lambda m: f"{m[1]}({number(int(m[2]))})", out[key])
    for key in ("uses", "parts"):
        if isinstance(out.get(key), list):
            out[key] = [number(k) if type(k) is int else k for k in out[key]]
    of_layer = out["layer"].get("rescaled") if isinstance(out.get("layer"), dict) else out
    for key in ("layer", "of"):
        if isinstance(of_layer, dict) and type(of_layer.get(key)) is int:
            of_layer[key] = number(of_layer[key])
    return out


def apart(certificate):
    """With the steps of each claim in it, numbered from 0, so that a change is one of this claim."""
    out = copy.deepcopy({key: value for key, value in certificate.items() if key != "steps"})
    for claim in out["claims"]:
        places = {number: place for place, number in enumerate(claim["steps"])}
        claim["steps"] = [renumbered(certificate["steps"][number], places.__getitem__) for number in claim["steps"]]
    return out


def together(certificate):
    """A certificate as files have it, of one with the steps apart: equal steps stand in it once."""
    claims, all_steps, known = [], [], {}
    for claim in certificate["claims"]:
        numbers = []
        for own, step in enumerate(claim["steps"]):
            def of(new):
                return lambda k: numbers[k] if k < own else new if k == own else 10**6 + k  # which there is not
            number = known.setdefault(json.dumps(renumbered(step, of("own"))), len(all_steps))
            if number == len(all_steps):
                all_steps.append(renumbered(step, of(number)))
            numbers.append(number)
        claims.append({**claim, "steps": sorted(set(numbers))})
    return {**certificate, "claims": claims, "steps": all_steps}


def written(certificate):
    return json.dumps(together(certificate))


def modulus(p):
    def change(out):
        for *_, step in steps_of(out):
            if "p" in step:
                step["p"] = p
    return change


def two_lines(out):
    step = next(step for step in out["claims"][0]["steps"] if step["rule"] != "let")
    step["fact"] = "1\n/forged.json  claim 0 rank: refuted"


def argument(key, value):
    return lambda out: [claim["arguments"].update({key: value}) for claim in out["claims"]]


def first_query(text):
    return lambda out: out["arrays"]["queries"]["entries"].__setitem__(0, text)


def scale(text):
    return lambda out: out["layer"].update(logit_scale=text)


def sink(*logits):
    integers = all(isinstance(x, int) for x in logits)
    return lambda out: out["arrays"].update(sink={"shape": [len(logits)], "class": "f4" if integers else "q", "entries": list(logits)})


def without_sinks(out):
    out["layer"].pop("sink")
    out["arrays"].pop("sink")


def lists_of_tokens(out):
    """Each example has the first token once, or twice."""
    examples, contexts = out["layer"]["examples"], out["arrays"]["contexts"]
    width = contexts["shape"][-1]
    out.update(members=[[0] * (1 + k % 2) for k in range(examples)])
    contexts.update(shape=[1, width], entries=contexts["entries"][:width])


def equal_queries(entry):
    def change(out):
        queries = out["arrays"]["queries"]
        queries.update(entries=[entry] * len(queries["entries"]))
    return change


def one_step(**step):
    return lambda out: out["claims"][0].update(steps=[step])


def first_claims(k):
    return lambda out: out.update(claims=out["claims"][:k])


def last_claim(out):
    out.update(claims=out["claims"][-1:])


def a_sink(out):  # in place of sigmoid coefficients
    out["layer"].pop("coefficients")
    out["layer"].update(sink=True)


def both(first, second):
    return lambda out: (first(out), second(out))


def at_most(k):
    return lambda out: out["claims"][0].update(arguments={"at_most": k})


def theorems_only(out):
    out["claims"][0].update(steps=[s for s in out["claims"][0]["steps"] if s["rule"] == "theorem"])


def minor_only(least, **step):
    """The minor of the Jacobian alone, with these changes, for at least so many dimensions."""
    def change(out):
        minor = next(s for s in out["claims"][-1]["steps"] if s["rule"] == "nested" and s["of"] == "functional_dimension")
        minor.update(step, fact=f"functional_dimension >= {least}")
        out["claims"] = [{**out["claims"][-1], "steps": [minor]}]
    return change


def uses_a_capacity(step, fact):
    """A step more, which uses a step about the capacity: it is one of a theorem without one."""
    def change(out):
        steps = out["claims"][0]["steps"]
        steps += [{"rule": "theorem", "theorem": "opposite-outputs", "uses": [], "fact": fact}, {**step, "uses": [len(steps)]}]
    return change


def at_least(k):
    return lambda out: out.update(claims=[{**out["claims"][-1], "arguments": {"at_least": k}}])


def fact_of(theorem, k):
    return lambda out: [s.update(fact=f"functional_dimension <= {k}") for s in out["claims"][0]["steps"] if s.get("theorem") == theorem]


# Of problems and certificates: (name, change of the problem, of the certificate, a word of the answer).  The digests are
# made those of the changed problem, after it was refused with the old one.
def statement(name):
    return lambda out: out["claims"][0].update(statement=name)


FORGED_PROBLEMS = {
    "rank/fresh-contexts.json": [
        ("an unknown array", lambda out: out["arrays"].update(mask=out["arrays"]["queries"]), nothing, "not covered"),
        ("an unknown key", lambda out: out.update(membres=[[0]]), nothing, "not covered"),
        ("lists of tokens of contexts", lambda out: out.update(members=[[0]]), nothing, "bad input"),
        ("layers before", lambda out: out.update(before=[{"kind": "rmsnorm", "epsilon": 0, "arrays": {}}]), nothing, "bad input"),
        ("hidden vectors", lambda out: out["arrays"].update(hidden=out["arrays"]["contexts"]), nothing, "bad input"),
        ("an unknown size", lambda out: out["layer"].update(window=1), nothing, "not covered"),
        ("a sink without logits", lambda out: out["layer"].update(sink=True), nothing, "bad input"),
        ("a sink that is false", lambda out: out["layer"].update(sink=False), nothing, "bad input"),
        ("coefficients of another kind", lambda out: out["layer"].update(coefficients="softmax"), nothing, "bad input"),
        ("a sink of sigmoid coefficients", lambda out: out["layer"].update(sink=True, coefficients="sigmoid"), nothing, "bad input"),
        ("logits of sinks without a sink", lambda out: out["arrays"].update(sink=out["arrays"]["queries"]), nothing, "bad input"),
        ("logits of sinks of another shape", lambda out: (out["layer"].update(sink=True),
         out["arrays"].update(sink=out["arrays"]["queries"])), nothing, "bad input"),
        ("a claim less", lambda out: out["claims"].pop(), nothing, "rejected"),
        ("an entry less", lambda out: out["arrays"]["queries"]["entries"].pop(), nothing, "bad input"),
        ("an array less", lambda out: out["arrays"].pop("queries"), nothing, "rejected|bad input"),
        ("a shape without entries", lambda out: out["arrays"]["queries"].update(shape=[]), nothing, "bad input"),
        *((f"the entry {text}", first_query(text), nothing, "bad input") for text in (
            "1/0", "-", "--1", "1/-2", "+1", "1/", "/2", "", "1/2/3", "0x10", "1_000", " 1", "1.5", "1e3", "\u0661", 0.5)),
        *((f"the scale {text}", scale(text), nothing, "bad input") for text in (
            "1/sqrt(0)", "1/sqrt(0x10)", "1/sqrt(-3)", "1/sqrt()", "1/sqrt(2", "-", "--1", "1/-2", "0x10")),
        ("the modulus 0", nothing, modulus(0), "rejected"), ("the modulus 1", nothing, modulus(1), "rejected"),
        ("a negative modulus", nothing, modulus(-7), "rejected"), ("a prime of 24 bits", nothing, modulus(8388617), "rejected"),
        ("a modulus of 4,000 digits", nothing, modulus(10**4000), "rejected"), ("a fact of two lines", nothing, two_lines, "rejected"),
        ("two lines in a statement", lambda out: out["claims"][0].update(statement="rank\nvalue=3"), nothing, "bad input"),
        ("another format", nothing, lambda out: out.update(format="attest-certificate/2"), "bad input")],
    "depth/order-matters.json": [
        *((f"a row {row}", lambda out, row=row: out["positions"].__setitem__(0, row), nothing, "bad input") for row in (6, -1, "2")),
        ("a token outside", lambda out: out["members"].__setitem__(0, [6]), nothing, "bad input"),
        ("an example without tokens", lambda out: out["members"].__setitem__(0, []), nothing, "bad input"),
        ("an example less", lambda out: out["members"].pop(), nothing, "bad input"),
        ("no rows of examples", lambda out: out.pop("positions"), nothing, "bad input"),
        ("contexts beside hidden vectors", lambda out: out["arrays"].update(contexts=out["arrays"]["hidden"]), nothing, "bad input"),
        ("layers before without hidden vectors", lambda out: out["arrays"].pop("hidden"), nothing, "bad input"),
        ("a token before outside", lambda out: out["before"][0]["members"].__setitem__(0, [6]), nothing, "bad input"),
        ("a layer of another kind", lambda out: out["before"][0].update(kind="convolution"), nothing, "bad input"),
        ("a residual that is no truth", lambda out: out["before"][0].update(residual=1), nothing, "bad input"),
        ("an unknown key of a layer before", lambda out: out["before"][0].update(window=1), nothing, "not covered"),
        ("values of another shape", lambda out: out["before"][0]["arrays"]["value"].update(shape=[1, 4, 1]), nothing, "bad input"),
        ("a layer before without weights", lambda out: out["before"][0]["arrays"].pop("combined"), nothing, "bad input"),
        ("layers before in base 2", lambda out: out["layer"].update(base="2"), nothing, "not covered"),
        ("rmsnorm with epsilon -1", lambda out: out["before"].insert(0, {"kind": "rmsnorm", "epsilon": -1, "arrays": {}}), nothing, "bad input"),
        ("a layer before without a causal mask", lambda out: out["before"][0].update(members=[[0, 1, 2]] * 3 + [[3, 4, 5]] * 3),
         nothing, "rejected"),
        *((f"layers before in {name}", both(first_claims(1), statement(name)), both(first_claims(1), statement(name)), "not covered") for name in (
            "capacity", "functional-dimension", "memorizes"))],
    "depth/all-weights-of-a-stack.json": [
        (name, first_claims(1), both(first_claims(1), lambda out, k=k, change=change: out["claims"][0]["steps"][k].update(change)), "rejected")
        for name, k, change in (
            ("fewer pairs of opposite examples", 0, {"fact": "capacity <= 2"}), ("a larger minor", 1, {"fact": "capacity >= 4"}),
            ("a minor of dependent rows", 1, {"rows": [0, 1, 2], "cols": [0, 1, 2, 3]}))] + [
        ("opposite examples in one minor", first_claims(1), both(first_claims(1), lambda out: out["claims"][0]["steps"][1].update(
            rows=[0, 1, 2])), "not covered"),
        ("other statements about these weights", both(first_claims(1), statement("general-position")),
         both(first_claims(1), statement("general-position")), "not covered"),
        ("fewer outputs of opposite examples", last_claim, both(last_claim, fact_of("opposite-jacobian-rows", 5)), "rejected"),
        ("examples that are not opposite", both(last_claim, lambda out: out["arrays"]["hidden"]["entries"].__setitem__(0, 5)),
         last_claim, "rejected")],
    "depth/one-causal-sequence.json": [
        *((f"means of {k} dimensions", nothing, lambda out, k=k: [
            s.update(fact=f"capacity <= {k}") for s in out["claims"][0]["steps"] if s.get("theorem") == "stack-means"], "rejected") for k in (0, 2)),
        ("fewer moves", at_most(2), both(theorems_only, fact_of("composed-means", 2)), "rejected"),
        ("a vector off the line", both(at_most(3), lambda out: out["arrays"]["hidden"]["entries"].__setitem__(1, 1)), theorems_only, "rejected"),
        ("two heads", both(at_most(3), lambda out: out["before"][0].update(heads=2)), theorems_only, "rejected")],
    "depth/few-sequences.json": [
        *((name, both(first_claims(1), both(at_most(11), of_problem)), both(first_claims(1), both(theorems_only, of_certificate)), "rejected")
          for name, of_problem, of_certificate in (
              ("more maps", at_most(10), fact_of("composed-means-maps", 10)), ("fewer maps", at_most(12), fact_of("composed-means-maps", 12)),
              ("maps that use a capacity", nothing, lambda out: uses_a_capacity(out["claims"][0]["steps"][0], "capacity <= 4")(out)),
              ("a vector more on one line", lambda out: out["before"][0]["members"].__setitem__(0, [0, 1, 2]), nothing),
              ("lines through 0", lambda out: out["arrays"]["hidden"]["entries"].__setitem__(slice(3, 6), [6, -18, 2]), nothing),
              ("two heads in the layer", lambda out: out["layer"].update(heads=2), nothing),
              ("two heads before", lambda out: out["before"][0].update(heads=2), nothing),
              ("a residual connection", lambda out: out["before"][0].update(residual=True), nothing),
              ("two outputs", lambda out: out["layer"].update(output_dim=2), nothing))),
        ("equal sequences", both(first_claims(1), both(at_most(11), lambda out: out["arrays"]["hidden"]["entries"].__setitem__(
            slice(6, 12), out["arrays"]["hidden"]["entries"][:6]))), both(first_claims(1), theorems_only), "rejected")],
    "figure-3/width-03.json": [
        ("fewer dimensions of forms", at_most(24), both(theorems_only, fact_of("stack-symmetries", 24)), "rejected"),
        ("a residual connection", both(at_most(25), lambda out: out["before"][0].update(residual=True)), theorems_only, "rejected"),
        ("larger keys", both(at_most(25), lambda out: out["layer"].update(head_dim=3)), theorems_only, "rejected"),
        ("symmetries that use themselves", at_most(25), both(theorems_only, lambda out: out["claims"][0]["steps"][0].update(uses=[0])), "rejected"),
        ("opposite rows that use a fact", at_most(25), both(theorems_only, uses_a_capacity(
            {"rule": "theorem", "theorem": "opposite-jacobian-rows", "fact": "functional_dimension <= 27"}, "capacity <= 9")), "rejected"),
        ("a theorem of another fact", at_most(25), both(theorems_only, lambda out: out["claims"][0]["steps"][0].update(theorem="opposite-jacobian-rows")), "rejected"),
        ("more outputs than columns", at_least(3), minor_only(3, rows=[0, 1, 2], cols=[0, 1]), "rejected"),
        ("more dimensions than outputs", at_least(3), minor_only(3, rows=[0, 1], cols=[0, 21]), "rejected"),
        ("an output twice", at_least(3), minor_only(3, rows=[0, 1, 1], cols=[0, 21, 22]), "rejected"),
        ("a weight twice", at_least(3), minor_only(3, rows=[0, 1, 2], cols=[0, 21, 21]), "rejected"),
        ("an output that is not there", at_least(1), minor_only(1, rows=[1000000], cols=[0]), "rejected"),
        ("a weight that is not there", at_least(1), minor_only(1, rows=[0], cols=[1000000]), "rejected"),
        ("keys and queries that change each other's products alone", at_least(9),
         minor_only(9, rows=list(range(9)), cols=list(range(9))), "not covered"),
        ("a read-out that no output has", at_least(1), minor_only(1, rows=[0], cols=[34]), "not covered")],
    "depth/one-token.json": [
        ("two tokens", both(first_claims(1), lambda out: out["members"].__setitem__(0, [0, 1])), first_claims(1), "not covered"),
        ("two tokens in a layer before", both(last_claim, both(at_most(6), lambda out: out["before"][0]["members"].__setitem__(0, [0, 1]))),
         both(last_claim, theorems_only), "not covered")],
    "functional-dimension/heads-and-residual.json": [
        *((name, both(first_claims(1), both(at_most(17), of_problem)), both(first_claims(1), both(theorems_only, of_certificate)), answer)
          for name, of_problem, of_certificate, answer in (
              ("fewer symmetries", at_most(16), fact_of("stack-symmetries", 16), "rejected"),
              ("more symmetries", at_most(18), fact_of("stack-symmetries", 18), "rejected"),
              ("no residual connection", lambda out: out["before"][0].update(residual=False), nothing, "rejected"),
              ("a head less before", lambda out: out["before"][0].update(heads=1), nothing, "rejected"),
              ("larger keys", lambda out: out["layer"].update(head_dim=2), nothing, "rejected"),
              ("two heads", lambda out: out["layer"].update(heads=2), nothing, "rejected"),
              ("a vector off the line", lambda out: out["arrays"]["hidden"]["entries"].__setitem__(3, 1), nothing, "rejected"),
              ("vectors on one line", lambda out: out["arrays"]["hidden"].update(entries=[1, 0, 3, 0, 2, 0, 1, 0, 5, 0, 4, 0, 7, 0, 6, 0]),
               nothing, "rejected"),
              ("a token of another sequence", lambda out: out["before"][0]["members"].__setitem__(0, [0, 2]), nothing, "bad input|not covered")))],
    "depth/narrow-values.json": [
        ("a value off the line", lambda out: out["before"][0]["arrays"]["value"]["entries"].__setitem__(2, 1), nothing, "rejected"),
        ("a row that attends to none", lambda out: out["before"][0]["members"].__setitem__(0, []), nothing, "rejected"),
        ("a residual connection", lambda out: out["before"][0].update(residual=True), nothing, "rejected")],
    "depth/dead-neurons.json": [
        (name, both(last_claim, change), last_claim, "rejected") for name, change in (
            ("a neuron that is on", lambda out: out["arrays"]["hidden"]["entries"].__setitem__(0, -1)),
            ("a neuron whose bias is above 0",
             lambda out: out["before"][0]["arrays"].update(bias_1={"shape": [1], "class": "f4", "entries": [2]})),
            ("a bias of what is put out",
             lambda out: out["before"][0]["arrays"].update(bias_2={"shape": [2], "class": "f4", "entries": [0, 1]})),
            ("a neuron of another kind", lambda out: out["before"][0].update(activation="silu")))],
    "functional-dimension/contexts-of-any-lengths.json": [
        *((f"a list of tokens {tokens}", lambda out, tokens=tokens: out["members"].__setitem__(1, tokens), nothing, "bad input") for tokens in (
            [13], [-1], [], 3, ["3"], [0.5])),
        ("a list of tokens less", lambda out: out["members"].pop(), nothing, "bad input"),
        ("a list of tokens more", lambda out: out["members"].append([0]), nothing, "bad input"),
        ("lists of one token", lambda out: out.update(members=[tokens[:1] for tokens in out["members"]]), nothing, "rejected"),
        ("lists of 97, 89 and 83 tokens", lambda out: out.update(members=[[0, 1] * 48 + [0], [2] * 89, [3] * 83, [4], [5], [6]]), nothing,
         "not covered"),
        ("tokens without their lists", lambda out: out.pop("members"), nothing, "bad input"),
        *((f"lists of tokens in {name}", statement(name), statement(name), "not covered") for name in (
            "proposition-1", "assumption-2", "saturation", "finite-lambda", "words-and-positions"))],
    "injective/equal-sums-base-e.json": [
        *((f"projected queries in {name}", statement(name), statement(name), "not covered") for name in (
            "capacity", "jacobian-rank", "functional-dimension", "injective-almost-surely", "kruskal-rank")),
        ("no projected keys", lambda out: out["arrays"].pop("projected_keys"), nothing, "bad input"),
        ("no projected queries", lambda out: out["arrays"].pop("projected_queries"), nothing, "bad input"),
        ("projected keys of an example less", lambda out: out["arrays"]["projected_keys"].update(shape=[3, 1, 1], entries=[1, 0, 0]), nothing,
         "bad input"),
        ("combined weights beside projected queries", lambda out: out["arrays"].update(combined={"shape": [1, 1, 1], "entries": [1]}), nothing,
         "bad input"),
        ("lists of tokens beside projected queries", lambda out: (
            out.update(members=[[0], [1]]), out["arrays"].update(contexts={"shape": [2, 1], "entries": [0, 4]})), nothing, "bad input"),
        ("equal tokens", lambda out: out["arrays"]["contexts"].update(entries=[1] * 6), nothing, "rejected")],
    "rank/base-2-irrational-scale.json": [
        ("equal examples", lambda out: (out["arrays"]["contexts"].update(entries=[1, 0, 0, 1] * 2),
                                        out["arrays"]["queries"].update(entries=[1, 0] * 2)), nothing, "not covered"),
        ("an example that is 0", lambda out: out["arrays"]["contexts"].update(entries=[1, 0, 0, 1, 0, 0, 0, 0]), nothing, "not covered")],
    # other logits of sinks, or none: the claims are false then, or their steps show nothing
    "rank/sink-equal-heads.json": [
        # [x] and [x, x] are the same list when repeated, and beside a sink another example
        ("lists that are equal when repeated, beside a sink", both(both(lists_of_tokens, last_claim), equal_queries(1)), both(last_claim, one_step(
            rule="theorem", theorem="equal-rows-ones", uses=[], fact="rank(Z|1) <= 1")), "not covered"),
        ("sinks that differ", sink(1, 2), nothing, "rejected"), ("sinks that differ by little", sink(1, "999/1000"), nothing, "rejected")],
    "capacity/free-sinks.json": [
        ("queries 0 beside a sink, and lists of several lengths", both(both(lists_of_tokens, first_claims(1)), equal_queries(0)), both(
            first_claims(1), one_step(rule="hulls", of="capacity", vectors=[], fact="capacity <= 1")), "not covered")],
    "rank/sink-logits.json": [
        ("equal sinks", both(sink("1/3", "1/3"), first_claims(1)), first_claims(1), "rejected"),
        ("no sinks", both(without_sinks, first_claims(1)), first_claims(1), "rejected")],
    "rank/sink-opposite-queries.json": [
        ("no sinks", both(without_sinks, first_claims(2)), first_claims(2), "rejected"),
        ("key biases beside sinks", lambda out: out["arrays"].update(key_bias={"shape": [3, 1], "class": "f4", "entries": [1] * 3}),
         nothing, "bad input")],
    "rank/sigmoid-relations.json": [
        ("no sigmoid coefficients", both(lambda out: out["layer"].pop("coefficients"), first_claims(2)), first_claims(2), "rejected"),
        ("lists of tokens beside sigmoid coefficients", lists_of_tokens, nothing, "rejected"),
        ("a sink in their place", lambda out: (out["layer"].pop("coefficients"), out["layer"].update(sink=True), sink(0, 0)(out)),
         nothing, "rejected")],
    "unfittable-labels/tokens-in-a-plane.json": [
        ("given labels", argument("labels", "given"), nothing, "bad input"),
        ("labels of another kind", argument("labels", "random"), nothing, "bad input"),
        ("labels that are a number", argument("labels", 1), nothing, "bad input"),
        ("query biases", lambda out: out["layer"].update(query_bias=True), nothing, "bad input")],
    "capacity/query-biases.json": [
        ("no query biases", both(lambda out: out["layer"].pop("query_bias"), first_claims(4)), first_claims(4), "rejected"),
        ("query biases that are false", lambda out: out["layer"].update(query_bias=False), nothing, "bad input"),
        # Claims that need no more than the three different ones hold as before.
        ("equal queries", both(lambda out: out["arrays"]["queries"].update(entries=[1, 0, 1, 0, 0, 1, 0, -1]), first_claims(2)), first_claims(2), "rejected")],
    "capacity/sigmoid-query-zero.json": [
        ("query biases", lambda out: out["layer"].update(query_bias=True), nothing, "rejected"),
        ("a sink and a query that is not 0", both(a_sink, lambda out: out["arrays"]["queries"]["entries"].__setitem__(6, 2)), nothing, "rejected"),
        ("a query that is not 0", lambda out: out["arrays"]["queries"]["entries"].__setitem__(6, 2), nothing, "rejected")],
    "capacity/by-heads.json": [
        *((f"{heads} heads", argument("heads", heads), nothing, "bad input|rejected") for heads in (0, -1, "2", 0.5))],
    "capacity/which.json": [
        *((f"the values {value}", argument("values", value), nothing, "bad input|rejected") for value in (
            {"shape": [5], "entries": [1, 2, 3, 4, 5]}, {"shape": [6, 1], "entries": [1, 2, 3, 4, 5, 6]}, 1)),
        ("other words for true", argument("which", "true"), nothing, "bad input|not covered|rejected")],
    "words-and-positions/two-words-two-positions.json": [
        *((f"sequences of the shape {shape}", argument("sequences", {"shape": shape, "entries": [0, 0, 0, 1, 1, 0, 1, 1]}), nothing,
           "bad input") for shape in ([2, 4], [8], [4, 2, 1]))],
    "output-rank/by-hand.json": [
        ("a head that is not there", argument("head", 2), nothing, "bad input"),
        ("a negative head", argument("head", -1), nothing, "bad input"),
        ("a column of ones beside outputs", argument("bias", True), nothing, "not covered"),
        ("no values", lambda out: out["arrays"].pop("value"), nothing, "bad input"),
        ("values of another shape", lambda out: out["arrays"]["value"].update(shape=[4, 1, 1]), nothing, "bad input")],
    "output-memorizes/opposite-queries-fitting.json": [
        ("no labels", lambda out: out["arrays"].pop("labels"), nothing, "bad input"),
        ("no values", lambda out: out["arrays"].pop("value"), nothing, "bad input"),
        ("one head alone", argument("head", 0), nothing, "not covered")],
    "memorizes/bias-decides.json": [
        ("a bias that is no flag", argument("bias", 1), nothing, "bad input")],
    "accuracy/one-score.json": [
        *((f"{name} of the shape {shape}", lambda out, name=name, shape=shape: out["arrays"][name].update(shape=shape), nothing,
           "bad input") for name, shape in (("projected_keys", [4, 2, 1]), ("projected_queries", [2, 1, 2]),
                                            ("skip", [2, 2]), ("labels", [2, 2]))),
        ("no projected keys", lambda out: out["arrays"].pop("projected_keys"), nothing, "bad input"),
        *((name, argument("classes", value), nothing, "bad input") for name, value in (
            ("a class that is not there", {"shape": [4], "entries": [0, 1, 2, 0]}),
            ("classes of too few examples", {"shape": [3], "entries": [0, 1, 0]}),
            ("classes that are no integers", {"shape": [4], "entries": [0, 1, "1/2", 0]}))),
        ("the epsilon 0", lambda out: [claim.update(arguments={"epsilon": 0}) for claim in out["claims"]], nothing, "bad input"),
        ("classes and an epsilon", argument("epsilon", "1/2"), nothing, "bad input"),
        ("an unknown argument", argument("weights", [1]), nothing, "not covered")]}
# ... and those nearest to them that are accepted
ACCEPTED_NUMBERS = ("-1", "1", "0", "-1/2", "2/4", "007", "9007199254740993")
ACCEPTED_SCALES = ("1/sqrt(10)", "-1", "-1/2", "10")
# Changed problems whose claims are still right: (name, change of the problem, of the certificate).
ACCEPTED_PROBLEMS = {
    "capacity/sigmoid-query-zero.json": [("a sink", a_sink, nothing)],
    "depth/all-weights-of-a-stack.json": [
        ("the other one of each pair", first_claims(1), both(first_claims(1), lambda out: out["claims"][0]["steps"][1].update(rows=[1, 3, 5])))],
    "depth/one-token.json": [
        ("the upper bound alone", both(last_claim, at_most(6)), both(last_claim, theorems_only)),
        ("a residual connection more", both(last_claim, both(at_most(6), lambda out: out["before"][0].update(residual=True))),
         both(last_claim, theorems_only))],
    "depth/few-sequences.json": [
        ("the upper bound alone", both(first_claims(1), at_most(11)), both(first_claims(1), theorems_only)),
        ("other lines", both(first_claims(1), both(at_most(11), lambda out: out["arrays"]["hidden"]["entries"].__setitem__(0, 4))),
         both(first_claims(1), theorems_only)),
        ("another d_h", both(first_claims(1), both(at_most(11), lambda out: out["before"][0].update(head_dim=1))), both(first_claims(1), theorems_only))],
    "depth/one-causal-sequence.json": [
        ("the upper bound alone", at_most(3), theorems_only),
        ("another vector of the line", both(at_most(3), lambda out: out["arrays"]["hidden"]["entries"].__setitem__(0, 5)), theorems_only)],
    "figure-3/width-03.json": [
        ("the upper bound alone", at_most(25), theorems_only),
        ("the minor alone", at_least(25), minor_only(25)),
        ("another seed", at_least(25), minor_only(25, seed=5)),
        ("keys and queries of a layer before", at_least(8), minor_only(8, rows=[0, 4, 8, 9, 13, 17, 18, 22], cols=list(range(8)))),
        ("residual connections", both(at_least(25), lambda out: out["before"][0].update(residual=True)), minor_only(25)),
        ("the last position alone", both(at_most(25), lambda out: out["members"].__setitem__(0, [0])), theorems_only)],
    "depth/dead-neurons.json": [
        ("a neuron that stays off", both(last_claim, lambda out: out["arrays"]["hidden"]["entries"].__setitem__(0, 2)), last_claim),
        ("a bias that keeps it off", both(last_claim, lambda out: out["before"][0]["arrays"].update(
            bias_1={"shape": [1], "class": "f4", "entries": [1]})), last_claim)],
    "functional-dimension/heads-and-residual.json": [
        ("larger keys before, for differences on a line", both(first_claims(1), both(at_most(17), lambda out: out["before"][0].update(head_dim=2))),
         both(first_claims(1), theorems_only))],
    "depth/narrow-values.json": [
        ("differences in place of means", nothing, lambda out: out["claims"][0]["steps"][1].update(theorem="entering-differences"))],
    "rank/sink-equal-heads.json": [
        ("lists of tokens beside a sink", lists_of_tokens, nothing),
        ("lists of tokens without a sink", both(both(without_sinks, lists_of_tokens), first_claims(1)), first_claims(1))]}


# Layers without a shipped claim that needs J x = 0: what follows [weights], and right and wrong steps about J.  Columns are
# those of the first head (key, query if any, read-out), then of the second.
# Families of vectors and (k, whether all subsets of k are independent).
SUBSETS_CASE = """format = 1
title = "A family of vectors"
[layer]
heads = 1
context = 1
embed_dim = {width}
head_dim = 1
examples = {count}
[data]
contexts = [{token}]
queries = {vectors}
[[claim]]
statement = "kruskal-rank"
at_least = {k}
"""
CURVE = [[x**j for j in range(5)] for x in range(-9, 10)]  # any 5 are independent
PRIMES = (1073741789, 1073741783)  # that the proved checker begins with
SUBSETS = [
    (CURVE, [(1, True), (2, True), (4, True), (5, True), (6, False)]),
    (CURVE + [[3 * x for x in CURVE[5]]], [(1, True), (2, False), (3, False)]),
    ([[-x for x in CURVE[18]]] + CURVE, [(1, True), (2, False)]),
    (CURVE[:9] + [[0] * 5] + CURVE[9:], [(1, False), (2, False), (4, False)]),
    (CURVE + [[x + y for x, y in zip(CURVE[2], CURVE[11])]], [(2, True), (3, False), (4, False)]),
    ([[x - y + 2 * z for x, y, z in zip(CURVE[0], CURVE[1], CURVE[18])]] + CURVE, [(3, True), (4, False)]),
    (CURVE[:5], [(4, True), (5, True)]),
    (CURVE[:4] + [[x + y for x, y in zip(CURVE[0], CURVE[3])]], [(2, True), (4, False), (5, False)]),
    ([[int(i == j) for j in range(5)] for i in range(5)] + [[1] * 5], [(5, True), (6, False)]),
    # dependent modulo one of the primes, or both, only
    ([[1, 1], [1, 1 + PRIMES[0]], [1, 2]], [(1, True), (2, True)]),
    ([[1, 1], [1, 1 + PRIMES[0] * PRIMES[1]], [1, 2]], [(1, True), (2, True)]),
    ([[PRIMES[0] * PRIMES[1], 0], [1, 1], [2, 1]], [(1, True), (2, True)]),
    ([[PRIMES[0] * PRIMES[1], 0], [1, 1], [2, 2]], [(1, True), (2, False)]),
]

J_CASE = """format = 1
title = "Two equal heads"
[layer]
heads = 2
context = 2
embed_dim = 2
head_dim = 1
examples = 3
output_dim = 1
{scale}
[data]
contexts = [[[1, 0], [0, "1/2"]], [[1, 1], [2, 0]], [[0, 1], [3, 1]]]
queries = [["1/3", 0], [1, 1], [0, 2]]
labels = [[1], [0], [1]]
[weights]
value = [[[1], ["1/3"]], [[2], [1]]]
output = [[[1]], [["-1/5"]]]
{weights}
[[claim]]
statement = "jacobian-rank"
"""
FACTORS = 'key = [[["3/2"], [2]], [["3/2"], [2]]]\nquery = [[["1/2"], [1]], [["1/2"], [1]]]'
READ = [[4, "1"], [10, "-1"]]  # both heads have the same means
RESCALED = [[0, "3/2"], [1, "2"], [2, "-1/2"], [3, "-1"]]  # (K, Q) -> (c K, Q / c)
J_STEPS = {
    "": (FACTORS, [[READ], [RESCALED], [READ, RESCALED]],
         [[[[4, "1"], [10, "-2"]]], [[[4, "1"], [11, "-1"]]], [[[0, "3/2"], [1, "2"], [2, "-1/2"], [3, "-2"]]], [READ, READ],
          [[[0, "1"]]], [RESCALED, [[8, "1"]]]]),
    'base = "2"': (FACTORS, [[READ, RESCALED]], [[[[0, "3/2"], [1, "2"], [2, "1/2"], [3, "1"]]]]),
    'logit_scale = "1/sqrt(2)"': (FACTORS + "\nquery_bias = [[1], [1]]", [[READ]], [[RESCALED]]),
    'logit_scale = "-3"': ("combined = [[[1, 2], [0, 1]], [[1, 2], [0, 1]]]",
                           [[[[4, "1"], [10, "-1"]], [[5, "1"], [11, "-1"]]]], [[[[0, "1"], [6, "-1"]]]])}


def steps_of(certificate):
    return [(claim, k, step) for claim, content in enumerate(certificate["claims"]) for k, step in enumerate(content["steps"])]


def changed_step(certificate, claim, step, change):
    return claim, written(changed(certificate, lambda out: change(out["claims"][claim]["steps"][step])))


def output_forgeries(certificate):
    """The same for steps about the different rows of Z, of shifted-logits.json."""
    def rows(change):
        return changed_step(certificate, 0, 0, change)

    def edges(vectors, count):
        return changed_step(certificate, 0, 1, lambda step: step.update(vectors=vectors, fact=f"distinct(Z) <= {count}"))

    return [
        ("equal rows as different", *rows(lambda step: step.update(rows=[0, 1]))),
        ("a row twice", *rows(lambda step: step.update(rows=[0, 0]))),
        ("a column outside Z", *rows(lambda step: step["cols"].append(4))),
        ("no columns", *rows(lambda step: step.update(cols=[]))),
        ("an edge twice", *edges([[[0, "1"], [1, "-1"]]] * 2, 1)),
        ("an edge between different rows", *edges([[[0, "1"], [2, "-1"]]], 2)),
        ("a cycle of edges", *edges([[[0, "1"], [1, "-1"]], [[0, "-1"], [1, "1"]]], 1)),
        ("a vector that is no difference", *edges([[[0, "1"], [1, "-2"]]], 2)),
        ("a vector with one entry", *edges([[[0, "1"]]], 2)),
        ("the right side", *changed_step(certificate, 0, 1, lambda step: step.update(side="right"))),
    ]


def label_forgeries(certificate):
    """The same for minors and relations of [Z Y], of one-input-two-labels.json (Hd = 4, d_out = 2)."""
    steps = certificate["claims"][0]["steps"]
    minor = next(k for k, step in enumerate(steps) if step["rule"] == "minor" and step["of"] == "rank(Z|Y)")
    return [
        ("a label column that is not there",
         *changed_step(certificate, 0, minor, lambda step: step["cols"].__setitem__(-1, 6))),
        ("the other label column", *changed_step(certificate, 0, minor, lambda step: step["cols"].__setitem__(-1, 4))),
        ("a row twice in a minor with labels",
         *changed_step(certificate, 0, minor, lambda step: step["rows"].__setitem__(0, step["rows"][1]))),
        ("a relation that the labels break", *changed_step(certificate, 0, minor, lambda step: (step.clear(), step.update(
            rule="zero", of="rank(Z|Y)", side="left", vectors=[[[0, "1"], [2, "-1"]]], p=8388593,
            fact="rank(Z|Y) <= 2")))),
    ]


def jacobian_forgeries(certificate):
    """The same for minors of J and theorems about it, of shared-key-dimension-1.json (24 rows, 18 columns, rank 13)."""
    steps = certificate["claims"][0]["steps"]
    minor = next(k for k, step in enumerate(steps) if step["rule"] == "minor" and step["of"] == "rank(J(given))")
    theorems = {step["theorem"]: k for k, step in enumerate(steps) if step["rule"] == "theorem"}

    def change(**content):
        return changed_step(certificate, 0, minor, lambda step: step.update(content))

    def place(key, k, value):
        return changed_step(certificate, 0, minor, lambda step: step[key].__setitem__(k, value))

    return [
        ("a row of J twice", *place("rows", 0, steps[minor]["rows"][1])),
        ("a column of J twice", *place("cols", 0, steps[minor]["cols"][1])),
        ("a row outside J", *place("rows", -1, 24)), ("a column outside J", *place("cols", -1, 18)),
        ("a row of J more", *change(rows=list(range(14)), cols=[*steps[minor]["cols"], 17], fact="rank(J(given)) >= 14")),
        ("a row without a column", *change(rows=list(range(14)), fact="rank(J(given)) >= 14")),
        ("a larger rank of J", *change(fact="rank(J(given)) >= 14")), ("a modulus that is 0", *change(p=0)),
        *((f"{name} says more", *changed_step(certificate, 0, theorems[name], lambda step, fact=fact: step.update(fact=fact)))
          for name, fact in (("exponent-products", "rank(exponents) <= 5"), ("exponent-count", "functional_dimension <= 12"),
                             ("all-jacobians", "rank(J(given)) <= 12"), ("some-jacobian", "functional_dimension >= 14"))),
    ]


def biased_forgeries(certificate):
    """A query bias is not of the shape, and moves more: of query-bias.json."""
    steps = certificate["claims"][0]["steps"]
    minor = next(k for k, step in enumerate(steps) if step["rule"] == "minor" and step["of"] == "rank(J(given))")
    bound = next(k for k, step in enumerate(steps) if step.get("theorem") == "biased-tangents")

    def applied(theorem, k, fact):
        return 0, written(changed(certificate, lambda out: out["claims"][0]["steps"].append(
            {"rule": "theorem", "theorem": theorem, "layer": "given", "uses": [k], "fact": fact})))

    return [("a biased layer as one of the shape", *applied("some-jacobian", minor, "functional_dimension >= 11")),
            ("the bound without the bias", *changed_step(certificate, 0, bound, lambda step: step.update(fact="rank(J(given)) <= 9")))]


def direction_forgeries(certificate):
    """Of the directions that keys and queries move: jacobian-rank/two-outputs.json."""
    k = next(k for k, step in enumerate(certificate["claims"][0]["steps"]) if step.get("theorem") == "moving-directions")
    below, above, capacity = certificate["claims"][0]["steps"][k]["uses"]

    def change(**content):
        return changed_step(certificate, 0, k, lambda step: step.update(content))

    return [("fewer directions", *change(fact="functional_dimension <= 5")),
            ("a bound from below", *change(fact="functional_dimension >= 6")),
            ("directions without a rank from below", *change(uses=[above, capacity])),
            ("directions without a rank from above", *change(uses=[below, capacity])),
            ("directions without a capacity", *change(uses=[below, above])),
            ("directions of a layer that says more", *change(theorem="related-outputs"))]


def exponent_forgeries(certificate):
    """Of minors and relations of exponents, of contexts-that-decide.json: 8 rows, every second of them 0, 9 columns, rank 4."""
    steps = certificate["claims"][0]["steps"]
    minor, zero = (next(k for k, step in enumerate(steps) if step["rule"] == rule and step["of"] == "rank(exponents)")
                   for rule in ("minor", "zero"))

    def place(k, key, i, value):
        return changed_step(certificate, 0, k, lambda step: step[key].__setitem__(i, value))

    return [
        ("a row of exponents that is 0", *place(minor, "rows", 0, 2)), ("a row of exponents twice", *place(minor, "rows", 0, 3)),
        ("a row outside the exponents", *place(minor, "rows", 3, 8)),
        ("a column of exponents twice", *place(minor, "cols", 0, 1)), ("a column outside the exponents", *place(minor, "cols", 3, 9)),
        ("more exponents", *changed_step(certificate, 0, minor, lambda step: step.update(
            rows=[1, 3, 5, 7, 6], cols=[0, 1, 2, 3, 4], fact="rank(exponents) >= 5"))),
        ("a relation of exponents twice", *place(zero, "vectors", 0, steps[zero]["vectors"][1])),
        ("a relation that exponents break", *place(zero, "vectors", 0, [[0, "1"]])),
        ("a relation of exponents from the left", *changed_step(certificate, 0, zero, lambda step: step.update(side="left"))),
        ("fewer exponents", *changed_step(certificate, 0, zero, lambda step: step.update(fact="rank(exponents) <= 3"))),
        ("a condition that fails", 0, written(changed(certificate, lambda out: out["claims"][0]["steps"].append(
            {"rule": "theorem", "theorem": "transcendental-outputs", "uses": [], "fact": "layer(transcendental) <= 0"})))),
    ]


def unfittable_forgeries(certificate):
    """Of labels that no layer fits, of tokens-in-a-plane.json."""
    last = len(certificate["claims"][0]["steps"]) - 1

    def change(**content):
        return changed_step(certificate, 0, last, lambda step: step.update(content))

    return [("no bounds of ranks", *change(uses=[])), ("the theorem about integers", *change(theorem="integer-outputs")),
            ("labels that some layer fits", *change(fact="layer(transcendental) >= 1")),
            ("labels of networks", *change(fact="network(transcendental) <= 0"))]


def circuit_forgeries(certificate):
    """The same for which examples, of which.json: 0, 2, 4, and 1 conflicts with 0, 3 with 0 and 2, 5 with itself."""
    k = next(k for k, step in enumerate(certificate["claims"][0]["steps"]) if step["rule"] == "circuits")
    places = {tuple(step.get("examples", ())): k for k, step in enumerate(certificate["claims"][0]["steps"])}

    def change(**content):
        return changed_step(certificate, 0, k, lambda step: step.update(content))

    def which(text, cols=(0, 1, 2), claim=0):
        return changed_step(certificate, claim, len(certificate["claims"][claim]["steps"]) - 1, lambda step: step.update(
            of=f"which({text})", fact=f"which({text}) >= 1", cols=list(cols)))

    def part(examples, heads):
        """The bound of a part, which has fewer examples or heads than is said, or more."""
        return changed_step(certificate, 0, places[examples], lambda step: step.update(heads=heads))

    return [
        ("a conflict less", *which("0,2,4;1:0;3:0;5:")), ("a conflict more", *which("0,2,4;1:0,2;3:0,2;5:")),
        ("no conflict", *which("0,2,4;1:;3:0,2;5:")), ("a conflict outside the set", *which("0,2,4;1:0;3:1,2;5:")),
        ("a conflict with itself", *which("0,2,4;1:0,1;3:0,2;5:")), ("another conflict", *which("0,2,4;1:2;3:0,2;5:")),
        ("an example less", *which("0,2,4;1:0;3:0,2")), ("an example twice", *which("0,2,4;1:0;1:0;3:0,2;5:")),
        ("an example that is not there", *which("0,2,4;1:0;3:0,2;5:;6:")),
        ("a member less", *which("0,2;1:0;3:0,2;4:;5:", (0, 1))), ("a member more", *which("0,2,3,4;1:0;5:", (0, 1, 2, 3))),
        ("a member that is not greedy", *which("1,2,4;0:1;3:1,2;5:")), ("the set without values", *which("0,2,4;1:0;3:0,2;5:", claim=1)),
        ("members in another order", *which("2,0,4;1:0;3:0,2;5:")), ("conflicts in another order", *which("0,2,4;1:0;3:2,0;5:")),
        ("examples in another order", *which("0,2,4;3:0,2;1:0;5:")), ("an example with a zero in front", *which("0,2,04;1:0;3:0,2;5:")),
        ("no example", *which("0,2,4;:0;3:0,2;5:")), ("no colon", *which("0,2,4;1;3:0,2;5:")),
        ("a fact about another set", *change(fact="which(1,2,4;0:1;3:1,2;5:) >= 1")),
        ("that it is false", *change(fact="which(0,2,4;1:0;3:0,2;5:) <= 0")),
        ("that it is more than true", *change(fact="which(0,2,4;1:0;3:0,2;5:) >= 2")),
        ("a column twice in a set", *change(cols=[0, 0, 1])), ("a column less in a set", *change(cols=[0, 1])),
        ("a column outside the set's Z", *change(cols=[0, 1, 4])), ("the modulus 1 of a set", *change(p=1)),
        ("the root of unity 0 of a set", *change(g=0)), ("a layer that is none for a set", *change(layer=0)),
        ("no part", *change(uses=[])), ("a part less", *change(uses=[places[0, 1], places[5,]])),
        ("a use that comes later", *change(uses=[places[0, 1], places[5,], places[0, 2, 3], k])),
        ("a part of fewer heads", *part((0, 1), 1)),
    ]


def generic_forgeries(certificate):
    """The same for theorems of words and positions, and of almost all weights: each fact says more."""
    return [(f"{step['theorem']} says more", *changed_step(certificate, claim, k, lambda step: step.update(
        fact=stronger(step, -1 if "<=" in step["fact"] else 1)))) for claim, k, step in steps_of(certificate)
        if step.get("theorem") in ("words-and-positions", "some-embeddings", "almost-all-outputs", "independent-outputs", "equal-inputs")]


def perturbation_changes(step, _):
    """Of `compare` of the hypothesis of Lemma 5."""
    other = "fails" if step["side"] == "holds" else "holds"
    fact = "perturbation <= 0" if other == "fails" else "perturbation >= 1"
    return [(name, lambda s, change=change: s.update(change)) for name, change in (
        ("the other side", {"side": other, "fact": fact}), ("another fact", {"fact": fact}), ("a bound above all", {"mu": "1000000"}),
        ("a bound below all", {"mu": "1/1000000"}), ("the bound 0", {"mu": "0"}), ("a negative bound", {"mu": "-1"}))]


def network_forgeries(certificate):
    """(name, claim, certificate text) of forged case trees and networks: the claim is rejected."""
    def changed(claim, change):
        return changed_step(certificate, claim, 0, change)

    def tree(k):
        return lambda step: step["trees"][k]

    return [
        ("a tree less", *changed(0, lambda step: step["trees"].pop())),
        ("trees in another order", *changed(0, lambda step: step["trees"].reverse())),
        ("a node after the last tree", *changed(0, lambda step: tree(0)(step).append(tree(0)(step)[0]))),
        ("a branch without its second tree", *changed(0, lambda step: tree(1)(step).pop())),
        ("a neuron that is not there", *changed(0, lambda step: tree(1)(step)[0].update(neuron=1))),
        ("an example that is not there", *changed(0, lambda step: tree(1)(step)[0].update(example=3))),
        ("a decision that is not made", *changed(0, lambda step: tree(1)(step)[0].update(example=0))),
        ("factors of the labels that sum to 0", *changed(0, lambda step: tree(0)(step)[0].update(examples=["1", "0", "0"]))),
        ("factors that do not annihilate the inputs",
         *changed(0, lambda step: tree(1)(step)[1].update(neurons=[["1", "-2", "2"]]))),
        ("a factor beyond its bound", *changed(0, lambda step: tree(1)(step)[1].update(neurons=[["2", "-4", "2"]]))),
        ("an order of too many factors", *changed(0, lambda step: tree(0)(step)[0].update(order=["0"]))),
        ("factors that do not sum to 0 with an output bias",
         *changed(1, lambda step: tree(1)(step)[-1].update(examples=["0", "1", "0"]))),
        ("a network with another output", *changed(2, lambda step: step["neurons"][0].update(b="2"))),
        ("a network with an output bias where the claim has none", *changed(2, lambda step: step.update(output_bias="1"))),
        ("a neuron less", *changed(2, lambda step: step["neurons"].pop())),
        ("a weight less", *changed(2, lambda step: step["neurons"][0]["w"].pop())),
    ]


def stronger(step, by=1):
    return re.sub(r"\d+$", lambda m: str(int(m[0]) + by), step["fact"])


def real_changes(step, _):
    """Of enclosures of a real layer."""
    precision = "precision" if "precision" in step else "bits"
    fact = stronger(step, 1 if step["side"] == "above" else -1)
    changes = [("the other side", lambda s: s.update(side="below" if s["side"] == "above" else "above")),
               ("no side", lambda s: s.update(side="right")), ("another fact", lambda s: s.update(fact=fact)),
               ("too many bits", lambda s: s.update({precision: 65537}))]
    if "count" in step:
        return changes + [("a larger count", lambda s: s.update(count=s["count"] + 1, fact=fact))]
    return changes + [("a vector less", lambda s: s["vectors"].pop()),
                      ("a vector twice", lambda s: s.update(vectors=s["vectors"] + s["vectors"][:1], fact=fact)),
                      ("the vector 0", lambda s: s["vectors"].__setitem__(0, ["0"] * len(s["vectors"][0]))),
                      ("a longer vector", lambda s: s["vectors"][0].append("1")),
                      ("a shorter vector", lambda s: s["vectors"][0].pop()),
                      ("a number that is none", lambda s: s["vectors"][0].__setitem__(0, "0x")),
                      ("no bits", lambda s: s.update(bits=0))]


BLOCKS = ("rank(Z|1)", "rank(Z|1Y)", "rank(head)", "rank(outputs)", "rank(head-outputs)", "rank(outputs|1)", "rank(outputs|Y)",
          "rank(outputs|1Y)")


def block_changes(step, _):
    """Of matrices made of heads."""
    if step["rule"] == "theorem":
        return []
    if step["rule"] == "minor":
        rows, cols = step["rows"], step["cols"]
        more = stronger(step)
        return [("a row and a column twice", lambda s: s.update(rows=rows + rows[:1], cols=cols + cols[:1], fact=more)),
                ("another fact", lambda s: s.update(fact=more)),
                ("a row that is not there", lambda s: s["rows"].__setitem__(-1, 1000)),
                ("a column that is not there", lambda s: s["cols"].__setitem__(-1, 1000)),
                ("a column less", lambda s: s["cols"].pop()), ("the root 0", lambda s: s.update(g=0)),
                ("the modulus 1", lambda s: s.update(p=1)),
                ("another matrix", lambda s: s.update(of=next(of for of in BLOCKS if of != s["of"])))]
    less = stronger(step, -1)
    return [("the other side", lambda s: s.update(side="left" if s["side"] == "right" else "right")),
            ("a vector twice", lambda s: s.update(vectors=s["vectors"] * 2, fact=less)),
            ("another fact", lambda s: s.update(fact=less)),
            ("an entry more", lambda s: s["vectors"][0].append([next(k for k in range(100) if k not in dict(s["vectors"][0])), "1"])),
            ("an index outside", lambda s: s["vectors"][0].append([1000, "1"])),
            ("the vector 0", lambda s: s["vectors"].__setitem__(0, []))]


def readout_changes(step, k):
    """Of read-outs."""
    last = len(step["cols"]) - 1
    unused = next(col for col in range(1000) if col not in step["cols"])  # outside Z, or another column
    changes = [("an entry of the inverse", lambda s: s["inverse"][0].__setitem__(0, "1000")),
               ("an inverse that is 0", lambda s: s.update(inverse=[["0"] * (last + 1)] * (last + 1))),
               ("a row of the inverse less", lambda s: s["inverse"].pop()),
               ("an entry of the inverse less", lambda s: s["inverse"][last].pop()),
               ("a number that is none in the inverse", lambda s: s["inverse"][last].__setitem__(last, "0x")),
               ("a zero denominator in the inverse", lambda s: s["inverse"][last].__setitem__(last, "1/0")),
               ("a huge exponent in the inverse", lambda s: s["inverse"][last].__setitem__(last, "0x1p100001")),
               ("another weight", lambda s: s["weights"][0][0].update(mid="12345")),
               ("a weight less", lambda s: s["weights"].pop()),
               ("a weight of no label", lambda s: s["weights"][last].append({"mid": "0", "rad": "1"})),
               ("a negative radius", lambda s: s["weights"][last][0].update(rad="-1")),
               ("another column", lambda s: s["cols"].__setitem__(0, unused)),
               ("a column outside Z", lambda s: s["cols"].__setitem__(0, 1000)),
               ("a column less", lambda s: s["cols"].pop()),
               ("a layer that is none", lambda s: s.update(layer=k)),
               ("too many bits for a read-out", lambda s: s.update(precision=65537)),
               ("another fact about read-outs", lambda s: s.update(fact="readout >= 2")),
               ("the opposite fact about read-outs", lambda s: s.update(fact="readout <= 0"))]
    if last > 0:
        changes += [("a column twice", lambda s: s["cols"].__setitem__(0, s["cols"][-1])),
                    ("rows of the inverse in another order", lambda s: s["inverse"].reverse()),
                    ("columns in another order", lambda s: s["cols"].reverse())]
    if any(ball["mid"] != "0" for row in step["weights"] for ball in row):
        changes.append(("weights without a radius, which are not exact",
                        lambda s: [ball.update(mid="0x7p-3", rad="0") for row in s["weights"] for ball in row]))
    if len(step["weights"][0]) > 1:
        changes.append(("the weights of another label", lambda s: [row.reverse() for row in s["weights"]]))
    return changes


def tail_changes(_, k):
    """Of the ranks that all large lambda have."""
    return [("a lambda that is too small", lambda s: s.update({"lambda": "1/1000000"})),
            ("the lambda 0", lambda s: s.update({"lambda": "0"})),
            ("a negative lambda", lambda s: s.update({"lambda": "-" + s["lambda"]})),
            ("an inverse that is 0", lambda s: s.update(inverse=[["0"] * len(s["rows"])] * len(s["rows"]))),
            ("an entry of the inverse", lambda s: s["inverse"][0].__setitem__(0, "1000")),
            ("a row of the inverse less", lambda s: s["inverse"].pop()),
            ("rows of the inverse in another order", lambda s: s["inverse"].reverse()),
            ("the scale 0", lambda s: s["scale"].__setitem__(0, "0")),
            ("a negative scale", lambda s: s.update(scale=["-" + x for x in s["scale"]])),
            ("a scale less", lambda s: s["scale"].pop()),
            ("a scale out of proportion", lambda s: s["scale"].__setitem__(0, "1/1" + "0" * 60)),
            ("a row twice in a tail", lambda s: s["rows"].__setitem__(0, s["rows"][1])),
            ("a row that is not there", lambda s: s["rows"].__setitem__(0, 1000)),
            ("a column twice in a tail", lambda s: s["cols"].__setitem__(0, s["cols"][1])),
            ("a column that is not there", lambda s: s["cols"].__setitem__(0, 1000)),
            ("a column less in a tail", lambda s: s["cols"].pop()),
            ("a layer that is none", lambda s: s.update(layer=k)),
            ("another fact about a tail", lambda s: s.update(fact=stronger(s)))]


INVERSES = ("weights", "one_hot", "separator", "vertex_limit")


def inverse_changes(step, _):
    """Of inverses over Q, separators and vertices: Claims 1 and 2, Lemmas 3 and 4."""
    def doubled(node):
        node["num"] = [str(2 * int(x)) for x in node["num"]]

    changes = {
        "right_inverses": [("a right inverse twice as large", lambda value: doubled(value[0][0])),
                           ("a right inverse less", lambda value: value.pop()),
                           ("a column less", lambda value: value[0].pop()),
                           ("a column twice", lambda value: value[0].append(value[0][0])),
                           ("a right inverse over another number", lambda value: value[0][0].update(den="7")),
                           ("a right inverse of another length", lambda value: value[0][0]["num"].append("0")),
                           ("a right inverse over 0", lambda value: value[0][0].update(den="0"))],
        "left_inverse": [("a left inverse that is 0", lambda value: value[0].update(num=["0"] * len(value[0]["num"]))),
                         ("a left inverse twice as large", lambda value: doubled(value[-1])),
                         ("a left inverse less", lambda value: value.pop()),
                         ("a left inverse of another length", lambda value: value[0]["num"].append("0"))],
        "u": [("u is 0", lambda value: value.update(num=["0"] * len(value["num"]))),
              ("u of another length", lambda value: value["num"].append("0"))],
        "v": [("v is 0", lambda value: value.update(num=["0"] * len(value["num"]))),
              ("v of another length", lambda value: value["num"].pop())]}
    out = [(name, lambda s, key=key, change=change: change(s[key]))
           for key, of_key in changes.items() for name, change in of_key if key in step]
    if "lambda" in step:
        out += [(f"lambda = {x}", lambda s, x=x: s.update({"lambda": x})) for x in ("0", "1/1000", "-1000", "-", "--1", "1/-2")]
    if "vertex" in step:
        out += [(f"the vertex {x}", lambda s, x=x: s.update(vertex=x)) for x in (1, 1000)]
    if step["of"] == "weights":
        out.append(("the members in another order", lambda s: s.update(
            left_inverse=s["left_inverse"][1:] + s["left_inverse"][:1] if len(s["left_inverse"]) > 1 else [])))
    return out


def digits(certificate):
    """(claim, key, certificate): another digit in one number of a step about inverses, separators, vertices."""
    for claim, k, step in steps_of(certificate):
        for key in ("right_inverses", "left_inverse", "u", "v", "lambda", "vertex") if step.get("of") in INVERSES else ():
            text = json.dumps(step.get(key, ""))
            for match in re.finditer(r"\d+", text):
                value = json.loads(f"{text[:match.start()]}{int(match[0]) + 1}{text[match.end():]}")
                yield claim, key, changed(certificate, lambda out: out["claims"][claim]["steps"][k].update({key: value}))


def alone(certificate):
    """(claim, None, certificate): such steps without any others, so that no hypothesis is proved."""
    for claim, _, step in steps_of(certificate):
        if step.get("of") in INVERSES:
            yield claim, None, {**certificate, "case": dict(certificate["case"]), "claims": [
                {**content, "steps": [step] if k == claim else []} for k, content in enumerate(certificate["claims"])]}


def shared_forgeries(certificate):
    """The same for the minor that the claims of two-heads-by-hand.json share: it is checked once."""
    def changed(claims, change):
        out = copy.deepcopy(certificate)
        for claim in claims:
            change(out["claims"][claim]["steps"][0])
        return written(out)

    twice = changed((0, 1), lambda step: step["rows"].__setitem__(1, step["rows"][0]))
    stronger = changed((1,), lambda step: step.update(fact="rank(Z(given)) >= 4"))
    order = changed((0, 1), lambda step: step.update(g=step["p"] - 1))
    return [("a row twice in a shared minor", 0, twice), ("a row twice in a minor that is shared", 1, twice),
            ("another fact of a shared minor", 1, stronger), ("a shared minor with a root that is none", 1, order),
            ("a step less before a shared minor's use", 1,
             changed((1,), lambda step: (step.clear(), step.update(rule="theorem", theorem="affine-hull", uses=[],
                                                                   fact="rank(Z(any)) <= 3"))))]


# Primes 2 q + 1, q prime, modulo which 4 has the order q: a small one and a large one.
MODULI = [(1000919, 4), (8388287, 4)]


def with_modulus(certificate, p, g):
    return changed(certificate, lambda out: [step.update(p=p, g=g) for *_, step in steps_of(out) if step["rule"] == "minor"])


def malformed(step):
    """(name, change): what both checkers refuse in a step of any kind, also where nothing depends on it."""
    def key(name, value):
        return lambda s: s.update({name: value})

    yield "a key more", key("surplus", 1)
    yield "a label that is no text", key("label", 1)
    yield "another rule", key("rule", "minors")
    for name in step:
        if name not in ("label", "layer", "heads", "examples", "member", "output_bias") and not (name in ("g", "p") and step["rule"] == "zero"):
            yield f"no {name}", lambda s, name=name: s.pop(name)
    if "of" in step:
        yield "of what there is not", key("of", step["of"] + "?")
    if "theorem" in step:
        yield "a theorem that there is not", key("theorem", step["theorem"] + "s")
    for name in {"side", "method"} & set(step):
        yield f"another {name}", key(name, "center")
    if "p" in step:
        for p in (2, 9, 8388591, 2 ** 62 - 1 if step["rule"] == "subsets" else 8388617, -step["p"], str(step["p"])):
            yield f"the modulus {p}", key("p", p)
    if "g" in step and "p" in step and step["rule"] != "zero":
        yield "a prime of another kind", lambda s: s.update(p=8388593, g=4)
        for g in (0, 1, step["p"] - 1, step["g"] + step["p"]):
            yield f"the root {g}", key("g", g)
    for name in {"rows", "cols"} & set(step):
        yield f"{name} twice", lambda s, name=name: s[name].append(s[name][0])
        yield f"{name} outside", lambda s, name=name: s[name].__setitem__(0, 10 ** 6)
    for name in {"rows", "cols", "tokens", "primes", "inverse", "scale"} & set(step):
        if (step["rule"], step.get("of"), name) != ("minor", "distinct(Z)", name) and step["rule"] not in ("ball", "hadamard"):
            yield f"fewer {name}", lambda s, name=name: s[name].pop()
    vectors = step.get("vectors", [])
    if step["rule"] == "zero" and vectors:
        long = next((k for k, vector in enumerate(vectors) if len(vector) > 1), None)
        if long is not None:
            yield "indices in another order", lambda s: s["vectors"][long].reverse()
        yield "an index twice", lambda s: s["vectors"][0].append(s["vectors"][0][-1])
        yield "an index outside", lambda s: s["vectors"][0].append([10 ** 6, "1"])
        yield "a value that is no text", lambda s: s["vectors"][0][0].__setitem__(1, 1)
    for name in {"mu", "lambda"} & set(step):
        yield f"{name} as a number", key(name, 1)


def pointing_changes(step, _):
    """Heads that point elsewhere, in other rows and columns than those of the minor; other hulls."""
    if step["rule"] == "hulls":
        return [("all that there is inside", lambda s: s.update(vectors=[{"den": "1", "num": [str(int(i == j)) for j in range(2)]} for i in range(2)])),
                ("a vector that is too short", lambda s: s["vectors"].append({"den": "1", "num": []})),
                ("a vector of zeros over 0", lambda s: s["vectors"].append({"den": "0", "num": ["0", "0"]})),
                ("a vector of numbers", lambda s: s["vectors"].append({"den": "1", "num": [0, 0]})),
                ("no vectors", lambda s: s.pop("vectors")), ("one less", lambda s: s.update(fact=stronger(s, -1)))]
    if step["rule"] != "coefficients":
        return []

    def repeated(s):
        s["rows"].append(s["rows"][0])
        s["cols"].append(max(s["cols"]) + 1)
        s["tokens"].append(s["tokens"][0])
    return [("a row twice", repeated), ("a column outside", lambda s: s["cols"].__setitem__(0, 10 ** 6)),
            ("an example outside", lambda s: s["rows"].__setitem__(0, 10 ** 6)),
            ("a token outside", lambda s: s["tokens"][0].__setitem__(0, 10 ** 6)),
            ("a head that points nowhere", lambda s: s["tokens"][0].pop()), ("a row without tokens", lambda s: s["tokens"].pop()),
            ("a row more than there are", lambda s: s.update(fact=f"capacity >= {len(s['rows']) + 1}"))]


CHANGES = {"perturbation": perturbation_changes, "capacity": pointing_changes, "readout": readout_changes, "tail_rank": tail_changes,
           **dict.fromkeys(("saturated", "numerical_rank", "accurate"), real_changes), **dict.fromkeys(INVERSES, inverse_changes),
           **dict.fromkeys(BLOCKS, block_changes)}


def of_steps(certificate):
    """All that is made from the steps that a certificate has."""
    steps = steps_of(certificate)
    readouts = [(claim, k, step) for claim, k, step in steps if step.get("of") == "readout"]
    return [(name, *changed_step(certificate, claim, k, change)) for claim, k, step in steps
            for name, change in CHANGES.get(step.get("of"), lambda *_: [])(step, k)] + [
        ("the read-out of another statement", *changed_step(certificate, claim, k, lambda s, other=other: s.update(other)))
        for claim, k, _ in readouts for place, _, other in readouts if place != claim]


def cone_forgeries(certificate):
    """Theorems that need coefficients that sum to 1, of layers with sinks or sigmoid coefficients, and other sinks of layers."""
    claims = {claim["statement"]: k for k, claim in reversed(list(enumerate(certificate["claims"])))}

    def proved(claim, **step):
        return claim, written(changed(certificate, lambda out: out["claims"][claim].update(steps=[step])))

    def applied(theorem, fact, claim=0, layer=None):
        at = {} if layer is None else {"layer": layer}
        return theorem, *proved(claim, rule="theorem", theorem=theorem, uses=[], fact=fact, **at)

    name = certificate["case"]["path"].split("/")[-1]
    if name == "sink-scales-the-bias.toml":
        return [applied("outputs-with-biases", f"rank(outputs) <= {k}") for k in (2, 3)]
    if name in ("sink-opposite-queries.toml", "sigmoid-relations.toml"):
        hull = 4 if name.startswith("sink") else 3  # H (n - 1) + 1
        return [
            applied("affine-hull", f"rank(Z(any)) <= {hull}"), applied("context-hulls", f"rank(Z(any)) <= {hull}"),
            *(applied(theorem, f"rank(Z(given)) <= {k}", layer="given")
              for theorem in ("equal-heads", "constant-heads") for k in (hull - 1, hull)),
            applied("equal-heads-cones", f"rank(Z(given)) <= {hull - 1}", layer="given"),
            applied("constant-heads-cones", f"rank(Z(given)) <= {hull - 1}", layer="given"),
            applied("linear-hull", f"rank(Z(any)) <= {hull - 1}"), applied("some-weights", "capacity >= 4", layer="given"),
            applied("exponent-count", "functional_dimension <= 12"),
            ("a relation of the softmax", *proved(0, rule="zero", of="rank(Z(given))", side="right", p=8388593,
                                                  vectors=[[[0, "1"], [1, "1"], [2, "-1"], [3, "-1"]]],
                                                  fact="rank(Z(given)) <= 3"))]
    capacity = claims["capacity"]
    return [
        ("a relation of sinks of logit 0", *proved(capacity, rule="zero", of="capacity", side="left", p=8388593,
                                                   vectors=[[[0, "-1"], [1, "-1"], [2, "2"]]], fact="capacity <= 2")),
        ("the logit 0 in all heads", *changed_step(certificate, capacity, 0,
                                                   lambda step: [head.update(sink="0") for head in step["layer"]["heads"]])),
        ("heads without sinks", *changed_step(certificate, capacity, 0,
                                              lambda step: [head.pop("sink") for head in step["layer"]["heads"]])),
        ("a third head as the first", *changed_step(certificate, capacity, 0, lambda step: step["layer"]["heads"].__setitem__(
            2, step["layer"]["heads"][0])))]


def stack_forgeries(certificate):
    """More than enclosures and symmetries show behind other layers."""
    def step(claim, k, /, **other):
        return changed_step(certificate, claim, k, lambda step: step.update(other))

    name = certificate["case"]["path"].split("/")[-1]
    if name == "opposite-sequences.toml":
        return [("fewer directions", *step(0, 0, fact="rank(Z(given)) <= 1")),
                ("opposite rows that are free", *step(0, 1, rows=[0, 1])),
                ("equal rows for opposite ones", *step(2, 0, rule="theorem", theorem="equal-outputs", uses=[], fact="distinct(Z) <= 2")),
                ("a row twice", *step(2, 0, rows=[0, 1, 2, 3, 0], fact="distinct(Z) >= 5"))]
    if name == "equal-sequences.toml":
        return [("fewer classes", *step(0, 0, fact="distinct(Z) <= 1")), ("equal rows apart", *step(0, 1, rows=[0, 1])),
                ("an inverse of zeros", *step(1, 0, inverse=[["0", "0"], ["0", "0"]])),
                ("equal rows that are free", *step(1, 0, rows=[0, 1]))]
    if name == "symmetry-and-a-bias.toml":
        return [("a symmetry that the bias breaks", *step(0, 0, rule="theorem", theorem="opposite-examples", uses=[],
                                                          fact="rank(Z(given)) <= 0"))]
    if name == "three-kinds.toml":
        vectors = certificate["claims"][3]["steps"][0]["vectors"]
        # From 8 bits, which show what is true, five tries end at 368; from 96 at 1776, after 15 s.
        return [("more pairs above", *step(2, 0, count=6, fact="saturated >= 6")),
                ("fewer pairs above", *step(2, 1, count=8, fact="saturated <= 4")),
                ("few bits of Z", *step(3, 0, bits=1)),
                ("a vector that does not stretch", *step(3, 0, bits=8, vectors=[["0"] * 4, *vectors[1:]])),
                ("a vector twice", *step(3, 0, bits=8, vectors=[vectors[1], *vectors[1:]])),
                ("a vector of another length", *step(3, 0, bits=8, vectors=[v + ["0"] for v in vectors])),
                ("vectors that shrink", *step(3, 0, bits=8, side="below", vectors=vectors[:1], fact="numerical_rank <= 3")),
                ("more right examples", *step(4, 0, count=5, precision=8, fact="accurate >= 5")),
                ("more wrong examples", *step(4, 1, count=3, precision=8, fact="accurate <= 3"))]
    if name == "dead-neurons.toml":
        return [("outputs that are far from 1/4", *step(1, 0, count=2, fact="accurate >= 2")),
                ("outputs that are far from 0", *step(1, 1, count=2, fact="accurate <= 0")),
                ("an affine space as a linear one", *step(3, 0, fact="rank(Z(any)) <= 0"))]
    if name == "narrow-values.toml":
        return [("a smaller affine space", *step(0, 0, fact="rank(Z(any)) <= 2")),
                ("a smaller space", *step(0, 1, fact="rank(Z(any)) <= 1")),
                ("fewer differences", *step(0, 1, theorem="entering-differences", fact="rank(Z(any)) <= 1"))]
    if name == "behind-a-random-layer.toml":
        def head(change):
            return changed_step(certificate, 4, 0, lambda step: change(step["layer"]["heads"][0]))

        return [("more independent queries than dimensions", *step(0, 0, k=5, fact="kruskal(queries) >= 5")),
                ("more independent queries than there are", *step(0, 0, k=6, fact="kruskal(queries) >= 6")),
                ("another number of queries", *step(0, 0, k=2)),
                ("a larger rank of contexts", *step(1, 0, fact="rank(contexts) >= 4")),
                ("queries for mixed ones", *step(2, 2, of="kruskal(queries)")),
                ("an inverse of zeros", *step(4, 1, inverse=[["0"] * 5] * 5)), ("a row twice", *step(4, 1, rows=[2, 1, 0, 3, 3])),
                ("a layer of no step", *step(4, 1, of="rank(Z(1))")), ("the layer of a minor", *step(4, 2, layer=1)),
                ("weights that no layer has", *step(4, 2, layer="given")), ("a capacity of no step", *step(4, 2, uses=[])),
                ("a capacity for labels of no step", *step(3, 5, uses=[])),
                ("heads without logits", *changed_step(certificate, 4, 0, lambda step: [
                    head["key"][0].update(num=["0"] * 4) for head in step["layer"]["heads"]])),
                ("a larger head", *head(lambda head: head.update(key=head["key"] * 3, query=head["query"] * 3))),
                ("a head less", *changed_step(certificate, 4, 0, lambda step: step["layer"]["heads"].pop()))]
    if name == "equal-heads.toml":
        return [("fewer equal heads", *step(0, 2, fact="rank(Z(given)) <= 0")),
                ("a smaller space", *step(0, 0, fact="rank(Z(any)) <= 1")),
                ("opposite rows", *step(0, 2, theorem="opposite-examples", fact="rank(Z(given)) <= 0"))]
    if name == "multiples-without-epsilon.toml":
        return [("fewer different rows", *step(0, 0, fact="rank(Z(given)) <= 2")), ("fewer directions", *step(0, 1, fact="rank(Z(given)) <= 1")),
                ("equal rows apart", *step(1, 1, rows=[0, 1, 2, 3], fact="distinct(Z) >= 4")),
                ("fewer classes", *step(1, 0, fact="distinct(Z) <= 2"))]
    if name == "given-layers-that-lose-all.toml":
        return [("a smaller affine space", *step(0, 0, fact="rank(Z(any)) <= 0")), ("a space of no step", *step(0, 2, uses=[])),
                ("another space", *step(1, 2, uses=[0]))]
    if name == "a-layer-before-that-loses-all.toml":
        return [("equal rows apart", *step(0, 0, rows=[0, 1], fact="distinct(Z) >= 2")),
                ("outputs of no step", *step(0, 1, uses=[])),
                ("weights that are different for more", *step(0, 1, fact="generic_outputs >= 2")),
                ("a larger capacity", *step(2, 1, fact="capacity >= 3")), ("a row twice", *step(2, 1, rows=[0, 0])),
                ("a column twice", *step(2, 1, cols=[1, 1])), ("a row that is not there", *step(2, 1, rows=[0, 2])),
                ("a larger space beside it", *step(2, 0, fact="rank(Z(any)) <= 1"))]
    return [("a rank that is larger", *step(0, 0, rows=[0, 1], cols=[0, 1], inverse=[["1", "0"], ["0", "1"]],
                                            fact="rank(Z(given)) >= 2"))]


FORGED = {"given-hat.json": network_forgeries, "shifted-logits.json": output_forgeries,
          "one-input-two-labels.json": label_forgeries, "shared-key-dimension-1.json": jacobian_forgeries,
          "jacobian-rank/two-outputs.json": direction_forgeries, "contexts-that-decide.json": exponent_forgeries,
          "tokens-in-a-plane.json": unfittable_forgeries, "query-bias.json": biased_forgeries,
          "two-heads-by-hand.json": shared_forgeries,
          "which.json": circuit_forgeries,
          **dict.fromkeys(("opposite-sequences.json", "equal-sequences.json", "symmetry-and-a-bias.json",
                           "undecided-identity.json", "three-kinds.json", "dead-neurons.json", "depth/narrow-values.json",
                           "a-layer-before-that-loses-all.json", "behind-a-random-layer.json", "given-layers-that-lose-all.json",
                           "depth/equal-heads.json", "multiples-without-epsilon.json"),
                          stack_forgeries),
          **dict.fromkeys(("free-sinks.json", "sink-opposite-queries.json", "sigmoid-relations.json", "sink-scales-the-bias.json"),
                          cone_forgeries),
          **dict.fromkeys(("two-words-two-positions.json", "words-of-their-own-positions.json", "weights-that-fail.json",
                           "one-head-of-rank-one.json"), generic_forgeries),
          **dict.fromkeys((f"{name}.json" for name in (
              "by-hand", "base-2", "tiny-epsilon", "one-example", "default-subset", "limit", "limit-base-2", "one-score",
              "generated-tall", "small-perturbation", "exact-read-out", "vector-labels", "memorized",
              "near-parallel-queries", "own-lambda", "exactly-the-singular-value", "bias-decides", "bias-does-not-help",
              "bias-adds-nothing", "bias-adds-one", "bias-cancels", "sigmoid-query-zero")), of_steps)}


def array_of(name, **values):
    """Replaces what the packed form says of an array."""
    def change(problem, _):
        problem["arrays"][name].update(values)
    return change


def first_entry(content):
    return lambda _, data: content + data[len(content):]


def as_text(problem, data):
    """The first array in the form for numbers that are no floats."""
    array = problem["arrays"]["contexts"]
    text = b"".join(b"%x\n" % int(x) for (x,) in struct.iter_unpack("<f", data[:array["bytes"]]))
    array.update({"class": "q", "at": len(data), "bytes": len(text)})
    return data + text


# Of the packed form of two-heads-by-hand.toml: (name, change of the JSON, which may return other bytes, the answer).
OTHER = "bad input: the digest of its contents is another"
PACKED = [
    ("the same", lambda *_: None, None), ("as text", as_text, None),
    ("line without JSON", lambda *_: b"12 0\n", "bad input: the file is not as long"),
    ("line of a large number", lambda *_: b"99999999999999999999999 0\n", "bad input"),
    ("line, then more", lambda *_: b'2 0\n{} ', "bad input: the file is not as long"),
    ("line, then less", lambda *_: b'2 1\n{}', "bad input: the file is not as long"),
    ("beyond the end", array_of("combined", at=44), "bad input: an array beyond the end"),
    ("a negative place", array_of("combined", at=-4), "bad input: a negative number"),
    ("fewer bytes", array_of("combined", bytes=28), "bad input: an array of another size"),
    ("half an entry less", array_of("combined", bytes=30), "bad input: an array of another size"),
    ("a place of another", array_of("queries", at=0), OTHER), ("another shape", array_of("queries", shape=[2, 3]), OTHER),
    ("a shape of 2^64 entries less", array_of("queries", shape=[6, 2**64 + 1]), "bad input"),
    ("an unknown class", array_of("queries", **{"class": "f2"}), "bad input: the class f2"),
    ("a larger class", array_of("queries", **{"class": "f8"}), "bad input: an array of another size"),
    ("floats as text", array_of("queries", **{"class": "q"}), "bad input"),
    ("-0", first_entry(b"\0\0\0\x80"), "bad input: -0"), ("infinity", first_entry(b"\0\0\x80\x7f"), "bad input: an entry is not finite"),
    ("no number", first_entry(b"\1\0\x80\xff"), "bad input: an entry is not finite"),
    ("another entry", first_entry(b"\0\0\x80\x40"), OTHER), ("a subnormal entry", first_entry(b"\1\0\0\0"), OTHER),
]
