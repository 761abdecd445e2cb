(* The proved checker, quantities: what facts are about, their values over the   *)
(* reals, and the bounds that need no proof.                                      *)
(*                                                                                *)
(*    quantity == the quantities of docs/certificate.md that are covered            *)
(*   number R D layers c q == the value of q, an integer                            *)
(*   natural D c q == bounds of q that need no proof; naturalP                      *)
(*  tokens D, affine_tokens D == the distinct tokens; the same with a last entry 1  *)
From Coq Require Import ZArith List Lia.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From mathcomp.zify Require Import ssrZ.
From Attest Require Import attention kruskal affine_hull lemma_1 common.
From Attest Require Import replay_arithmetic replay_layer replay_kruskal.
From Attest Require Import proved_bounds proved_problem proved_logits.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Delimit Scope Z_scope with coqZ.
Bind Scope ring_scope with Z.
Local Open Scope ring_scope.
Local Notation Z := BinNums.Z.

(* a layer by its name: the given one, or the one that step k defines             *)
Definition layer_name := option nat.

(* a matrix of rational numbers                                                 *)
Inductive matrix := Queries | Tokens | AffineTokens.

Inductive quantity :=
  | Examples | Heads | Context | Dimension | HeadDimension | ValueDimension | OutputDimension
  | LeastRank                                   (* r = min(n, d_h) *)
  | Asked                                       (* the number in the claim *)
  | RankOf (m : matrix)
  | RankContexts
  | RankZ (l : layer_name)
  | RankAny
  | Capacity
  | Kruskal (mixed : bool)
  | DistinctContexts | DistinctTokens | DistinctExamples | DistinctSums
  | InShape (l : layer_name)
  | DistinctHeads (l : layer_name) | MovingHeads (l : layer_name).

Definition quantity_dec (x y : quantity) : {x = y} + {x <> y}.
Proof. repeat decide equality. Defined.

(* the question for a number that a claim may be                                *)
Inductive question := IsValue | IsAtLeast | IsAtMost | IsOpen.

Record claim := Claim { asks : question; asked : Z }.

(* -------------------------------------------------------------------------- *)
(* Literal data                                                                *)
(* -------------------------------------------------------------------------- *)
Fixpoint equal_row (r s : seq Z) : bool :=
  match r, s with
  | [::], [::] => true
  | x :: r', y :: s' => (x =? y)%coqZ && equal_row r' s'
  | _, _ => false
  end.
Fixpoint equal_rows (r s : seq (seq Z)) : bool :=
  match r, s with
  | [::], [::] => true
  | x :: r', y :: s' => equal_row x y && equal_rows r' s'
  | _, _ => false
  end.

Lemma equal_rowP r s : reflect (r = s) (equal_row r s).
Proof.
apply: (iffP idP) => [|->]; last by elim: s => //= x s ->; rewrite Z.eqb_refl.
by elim: r s => [|x r IH] [|y s] //= /andP[/Z.eqb_eq-> /IH->].
Qed.

Lemma equal_rowsP r s : reflect (r = s) (equal_rows r s).
Proof.
apply: (iffP idP) => [|->]; last by elim: s => //= x s ->; rewrite (introT (equal_rowP _ _)).
by elim: r s => [|x r IH] [|y s] //= /andP[/equal_rowP-> /IH->].
Qed.

(* members that differ from all later ones                                      *)
Fixpoint distinct (A : Type) (eqA : A -> A -> bool) (s : seq A) : seq A :=
  match s with
  | [::] => [::]
  | x :: s' => let r := distinct eqA s' in if has (eqA x) r then r else x :: r
  end.

Definition all_tokens (D : problem) : seq (seq Z) := flatten (contexts D).
Definition tokens (D : problem) : seq (seq Z) := distinct equal_row (all_tokens D).
Definition affine_tokens (D : problem) : seq (seq Z) :=
  [seq rcons r (Zpos (q_contexts D)) | r <- tokens D].

Definition total (r : seq Z) : Z := foldr Z.add 0%coqZ r.

Definition equal_example (x y : seq (seq Z) * seq Z) : bool :=
  equal_row x.2 y.2 && equal_rows x.1 y.1.

(* heads by their logits up to what is constant in an example                    *)
Definition reduced (l : seq Z) : seq Z := [seq (x - nth 0 l 0)%coqZ | x <- l].
Definition head_logits (D : problem) (L : layer) (g : head) : seq (seq Z) :=
  [seq reduced (raw_logits D L g t) | t <- iota 0 (T D)].
Definition constant_rows (s : seq (seq Z)) : bool := all (equal_row (nth [::] s 0)) s.
Definition distinct_heads (D : problem) (L : layer) : seq (seq (seq Z)) :=
  distinct equal_rows [seq head_logits D L g | g <- prepared D L].

Definition in_shape (D : problem) (L : layer) : bool :=
  match L with
  | Factors m _ _ _ _ _ _ _ bQ => (m <= d_h D)%N && nilp bQ
  | Combined _ _ => (d D <= d_h D)%N
  end.

(* what a checker computes from the literal data                                *)
Definition computed (D : problem) (layers : layer_name -> option (layer * bool)) (q : quantity) : option Z :=
  match q with
  | DistinctContexts => Some (Z.of_nat (size (distinct equal_rows (contexts D))))
  | DistinctTokens => Some (Z.of_nat (size (tokens D)))
  | DistinctExamples => Some (Z.of_nat (size (distinct equal_example (zip (contexts D) (queries D)))))
  | DistinctSums => Some (Z.of_nat (size (distinct Z.eqb [seq total r | r <- all_tokens D])))
  | InShape l => Some (if layers l is Some La then if in_shape D La.1 then 1%coqZ else 0%coqZ else 0%coqZ)
  | DistinctHeads l =>
    Some (if layers l is Some La then Z.of_nat (size (distinct_heads D La.1)) else 0%coqZ)
  | MovingHeads l =>
    Some (if layers l is Some La
          then Z.of_nat (size [seq s <- distinct_heads D La.1 | ~~ constant_rows s]) else 0%coqZ)
  | _ => None
  end.

Definition wf_sizes (D : problem) : bool :=
  [&& wf_problem D, (0 < T D)%N, size (queries D) == T D, all (fun q => size q == d D) (queries D) &
    all (fun C => all (fun r => size r == d D) C) (contexts D)].

(* -------------------------------------------------------------------------- *)
(* Values                                                                      *)
(* -------------------------------------------------------------------------- *)
Section Values.
Variables (R : realType) (D : problem) (layers : layer_name -> option (layer * bool)) (c : claim).
Local Notation E := (E R D).
Local Notation e := (e R D).

Definition token_matrix : 'M[R]_(size (tokens D), d D) := mx R _ _ (q_contexts D) (tokens D).
Definition affine_matrix : 'M[R]_(size (tokens D), d D + 1) := row_mx token_matrix (const_mx 1).

Definition rank_of (m : matrix) : nat :=
  match m with
  | Queries => \rank (mx R (T D) (d D) (q_queries D) (queries D))
  | Tokens => \rank token_matrix
  | AffineTokens => \rank affine_matrix
  end.

Definition number (q : quantity) : Z :=
  match q with
  | Examples => Z.of_nat (T D)
  | Heads => Z.of_nat (H D)
  | Context => Z.of_nat (n D)
  | Dimension => Z.of_nat (d D)
  | HeadDimension => Z.of_nat (d_h D)
  | ValueDimension => Z.of_nat (d_v D)
  | OutputDimension => Z.of_nat (d_out D)
  | LeastRank => Z.of_nat (minn (n D) (d_h D))
  | Asked => asked c
  | RankOf m => Z.of_nat (rank_of m)
  | RankContexts => Z.of_nat (least_rank E)
  | RankZ l => if layers l is Some (L, a) then Z.of_nat (\rank (given_Z R D L a)) else 0%coqZ
  | RankAny => Z.of_nat (rank_any R D)
  | Capacity => Z.of_nat (capacity R D)
  | Kruskal false => Z.of_nat (kruskal_rank e)
  | Kruskal true => Z.of_nat (kruskal_rank (fun t => e t + mean_token (E t)))
  | _ => if computed D layers q is Some z then z else 0%coqZ
  end.

End Values.

(* -------------------------------------------------------------------------- *)
(* Bounds that need no proof                                                   *)
(* -------------------------------------------------------------------------- *)
Definition up_to (k : nat) : interval := (Some 0%coqZ, Some (Z.of_nat k)).
Definition exactly_nat (k : nat) : interval := exactly (Z.of_nat k).

Definition natural (D : problem) (layers : layer_name -> option (layer * bool)) (c : claim)
    (q : quantity) : interval :=
  match q with
  | Examples => exactly_nat (T D)
  | Heads => exactly_nat (H D)
  | Context => exactly_nat (n D)
  | Dimension => exactly_nat (d D)
  | HeadDimension => exactly_nat (d_h D)
  | ValueDimension => exactly_nat (d_v D)
  | OutputDimension => exactly_nat (d_out D)
  | LeastRank => exactly_nat (minn (n D) (d_h D))
  | Asked => exactly (asked c)
  | RankOf Queries => up_to (minn (T D) (d D))
  | RankOf Tokens => up_to (minn (size (tokens D)) (d D))
  | RankOf AffineTokens => up_to (minn (size (tokens D)) (d D).+1)
  | RankContexts => up_to (minn (n D) (d D))
  | RankZ _ | RankAny | Capacity => up_to (minn (T D) (H D * d D))
  | Kruskal _ => up_to (minn (T D) (d D))
  | _ => if computed D layers q is Some z then exactly z else (None, None)
  end.

Lemma within_up_to k m : (k <= m)%N -> within (Z.of_nat k) (up_to m).
Proof. by move=> /ssrnat.leP km; split => /=; lia. Qed.

Lemma within_exactly z : within z (exactly z).
Proof. by split => /=; lia. Qed.

Lemma least_rank_leq (R : realType) (D : problem) k (C : 'I_k -> 'M[R]_(n D, d D)) i :
  (least_rank C <= \rank (C i))%N.
Proof.
rewrite /least_rank; have : i \in enum 'I_k by rewrite mem_enum.
elim: (enum 'I_k) => //= j s IH; rewrite inE => /predU1P[->|/IH]; first exact: geq_minl.
by apply: leq_trans; apply: geq_minr.
Qed.

Lemma leq_least_rank (R : realType) (D : problem) k (C : 'I_k -> 'M[R]_(n D, d D)) m :
  (m <= minn (n D) (d D))%N -> (forall i, (m <= \rank (C i))%N) -> (m <= least_rank C)%N.
Proof. by move=> m0 mC; rewrite /least_rank; elim: (enum _) => //= j s IH; rewrite leq_min mC. Qed.

Lemma naturalP (R : realType) D layers c q : within (number R D layers c q) (natural D layers c q).
Proof.
case: q => [| | | | | | | | |m| |l| | |mixed| | | | |l|l|l] /=; try exact: within_exactly.
- case: m; apply: within_up_to; rewrite leq_min rank_leq_row ?rank_leq_col //.
  by rewrite -addn1; apply: rank_leq_col.
- apply: within_up_to; rewrite /least_rank; elim: (enum _) => //= i s IH.
  exact: leq_trans (geq_minr _ _) IH.
- case: (layers l) => [[L a]|]; last by apply: (@within_up_to 0).
  by apply: within_up_to; rewrite leq_min rank_leq_row rank_leq_col.
- by apply: within_up_to; apply: largest_leq_N.
- by apply: within_up_to; apply: largest_leq_N.
by case: mixed; apply: within_up_to; apply: kruskal_rank_size.
Qed.
