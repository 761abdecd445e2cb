(* Lists that are repetitions of a shorter one: sums over them are multiples of sums over it. *)
(*                                                                                            *)
(*   period C == the shortest beginning of the rows C that they repeat                         *)
(*   periodP, sum_repeated == C is it so often, and so are sums over C                          *)
From Attest Require Import integers problem claims logits.

Local Notation Z := BinNums.Z.

Fixpoint begins (C S : seq (seq Z)) : bool :=
  match C, S with
  | r :: C', s :: S' => if equal_row r s then begins C' S' else false
  | _, _ => true
  end.

(* S are the rows C without the first k                                                *)
Fixpoint period_from (C S : seq (seq Z)) (k : nat) : seq (seq Z) :=
  if (if begins C S then size C %% k == 0 else false)%N then take k C
  else if S is _ :: S' then period_from C S' k.+1 else C.

Definition period (C : seq (seq Z)) : seq (seq Z) := period_from C (behead C) 1.

Lemma sum_repeated (F : zmodType) (m k : nat) (f : nat -> F) : \sum_(i < m * k) f (i %% k)%N = (\sum_(i < k) f i) *+ m.
Proof.
elim: m => [|m IH]; first by rewrite mulr0n big_ord0.
rewrite mulSn big_split_ord /= mulrS -IH; congr (_ + _); apply: eq_bigr => i _; first by rewrite modn_small.
by rewrite modnDl.
Qed.

Lemma nth_repeated (A : Type) (a : A) m (C : seq A) i : (i < m * size C)%N ->
  nth a (flatten (nseq m C)) i = nth a C (i %% size C)%N.
Proof.
elim: m i => // m IH i im; rewrite /= nth_cat; case: (ltnP i (size C)) => [iC|Ci]; first by rewrite modn_small.
by rewrite IH ?ltn_subLR // -{2}(subnK Ci) modnDr.
Qed.

Lemma size_repeated (A : Type) m (C : seq A) : size (flatten (nseq m C)) = (m * size C)%N.
Proof. by rewrite size_flatten /shape map_nseq sumn_nseq mulnC. Qed.

Lemma beginsP C S i : begins C S -> (i < size S)%N -> (size S <= size C)%N -> nth [::] S i = nth [::] C i.
Proof.
elim: C S i => [|r C IH] [|s S] i //=; case: equal_rowP => // -> ok; case: i => //= i iS sS.
exact: IH.
Qed.

Lemma take_repeated (C : seq (seq Z)) k : (0 < k)%N -> begins C (drop k C) -> (size C %% k)%N = 0%N ->
  C = flatten (nseq (size C %/ k) (take k C)).
Proof.
move=> k0 ok kC; have CE : size C = (size C %/ k * k)%N by rewrite {1}(divn_eq (size C) k) kC addn0.
have [C0|C0] := posnP (size C); first by rewrite C0 div0n /=; apply: size0nil.
have kn : (k <= size C)%N by rewrite dvdn_leq // /dvdn kC.
have sk : size (take k C) = k by rewrite size_takel.
apply: (@eq_from_nth _ [::]) => [|i iC]; first by rewrite size_repeated sk.
rewrite nth_repeated sk -?CE // nth_take ?ltn_pmod //.
elim/ltn_ind: i iC => i IH iC; have [ik|ki] := ltnP i k; first by rewrite modn_small.
have iS : (i - k < size (drop k C))%N by rewrite size_drop ltn_sub2r // (leq_ltn_trans ki).
rewrite -{1}(subnKC ki) -nth_drop (beginsP ok iS) ?size_drop ?leq_subr // IH.
- by rewrite -{2}(subnK ki) modnDr.
- by rewrite ltn_subrL k0 (leq_trans k0 ki).
exact: leq_ltn_trans (leq_subr k i) iC.
Qed.

Lemma periodP C : C = flatten (nseq (size C %/ size (period C)) (period C)).
Proof.
have whole : C = flatten (nseq (size C %/ size C) C).
  by have [/size0nil->//|C0] := posnP (size C); rewrite divnn C0 /= cats0.
suff H S k : (0 < k)%N -> S = drop k C -> C = flatten (nseq (size C %/ size (period_from C S k)) (period_from C S k)).
  by apply: (H) => //; rewrite drop1.
elim: S k => [|s S IH] k k0 SE /=.
  case: ifP => // _; rewrite take_oversize //.
  by have := congr1 size SE; rewrite size_drop => /esym/eqP; rewrite subn_eq0.
case: ifP => [|_]; last by apply: IH => //; have := congr1 behead SE; rewrite /= -drop1 drop_drop add1n.
case: ifP => // ok /eqP kC; have kn : (k <= size C)%N.
  by have := congr1 size SE; rewrite size_drop /= => E; rewrite ltnW // -subn_gt0 -E.
by rewrite size_takel //; apply: take_repeated => //; rewrite -SE.
Qed.

Lemma size_period C : (size (period C) <= size C)%N /\ (C != [::] -> (0 < size (period C))%N).
Proof.
split; last by case: C => // r C _; rewrite lt0n; apply/eqP => z; have /(congr1 size) := periodP (r :: C); rewrite size_repeated z muln0.
have st k : (size (take k C) <= size C)%N by rewrite size_take; case: ltnP => // /ltnW.
by rewrite /period; elim: (behead C) 1%N => [|s S IH] k /=; case: ifP.
Qed.

Lemma mem_period C r : r \in period C -> r \in C.
Proof.
rewrite /period; elim: (behead C) 1%N => [|s S IH] k /=; case: ifP => // _; try exact: mem_take.
exact: IH.
Qed.
