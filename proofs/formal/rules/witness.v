(* The proved checker, witnesses: what steps give to decide the quantities that are 0  *)
(* or 1.                                                                              *)
(*                                                                                    *)
(*   shown w == the quantity, and whether it is 1; witness_ok, witness_sound            *)
From Attest Require Import integers problem claims quantity_bounds networks perturbation separators.

Local Notation Z := BinNums.Z.

Inductive witness :=
  | CaseTrees (trees : seq tree)
  | Network (qw qa : positive) (net : seq neuron) (bias : Z)
  | Perturbation (s s' : Z) (r : positive)                       (* s' / r < s / r *)
  | NoPerturbation (p : Z) (r : positive) (x y : seq Z)
  | Separator (u v : seq Z)
  | VertexOf (v : nat) (p q : positive)                          (* lambda = p / q *)
  | WeightsOf (V : inverses)
  | OneHotOf (V : inverses) (u v : seq Z) (p : Z) (q : positive).

Definition shown (w : witness) : truth * bool :=
  match w with
  | CaseTrees _ => (NetworkFits GivenLabels, false)
  | Network _ _ _ _ => (NetworkFits GivenLabels, true)
  | Perturbation _ _ _ => (SmallPerturbation, true)
  | NoPerturbation _ _ _ _ => (SmallPerturbation, false)
  | Separator _ _ => (Separates, true)
  | VertexOf _ _ _ => (VertexLimit, true)
  | WeightsOf _ => (Prescribed, true)
  | OneHotOf _ _ _ _ _ => (OneHot, true)
  end.

Definition witness_ok (D : problem) (c : arguments) (w : witness) : bool :=
  match w with
  | CaseTrees trees => trees_ok D c trees
  | Network qw qa net bias => network_ok D c qw qa net bias
  | Perturbation s s' r => small_ok c s s' r
  | NoPerturbation p r x y => large_ok c p r x y
  | Separator u v => separator_ok D c u v
  | VertexOf v p q => vertex_ok D c v p q
  | WeightsOf V => weights_ok D c V
  | OneHotOf V u v p q => one_hot_ok D c V u v p q
  end.

Theorem witness_sound (R : realType) D c w : wf_sizes D -> witness_ok D c w ->
  let: (x, b) := shown w in if b then holds R D c x else ~ holds R D c x.
Proof.
move=> okD; case: w => [trees|qw qa net bias|s s' r|p r x y|u v|v p q|V|V u v p q] ok /=.
- exact: trees_sound ok.
- exact: network_sound ok.
- exact: small_sound ok.
- exact: large_sound ok.
- exact: separator_sound ok.
- exact: (@vertex_sound R D c okD _ _ _ ok).
- exact: (@weights_sound R D c okD _ ok).
exact: (@one_hot_sound R D c okD _ _ _ _ _ ok).
Qed.
