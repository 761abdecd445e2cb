(* Finite lambda for a whole layer (Appendix B.2): head h has the weights Ws_h + lambda_h W'_h, and        *)
(* lambda_h is chosen after lambda_0, ..., lambda_(h-1), above the lambda* of head h.  That lambda* is     *)
(* explicit: its constants are those of finite_lambda.v for the block Z' of the heads before at *their*    *)
(* lambda.  If head h adds the rows I_h then Z has rank at least sum_h |I_h|.                             *)
(* The first head may take lambda = 0 (rho = 0: nothing has to be kept).                                  *)
(*                                                                                                       *)
(*      scheduled lambda_star == max(0, lambda* ) + 1, a choice that is always above                      *)
(*   adds_rows W Ws W' lambda m == the conditions of finite_lambda for a head Ws + lambda W' that adds m    *)
(*                                 rows to the heads W                                                   *)
(*          lambda_schedule == the statement                                                             *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import boolp reals signed topology normedtype sequences exp.
From Attest Require Import attention proposition_1 finite_lambda.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Schedule.
Variables (R : realType) (T n d : nat).
Variables (E : 'I_T -> 'M[R]_(n, d)) (e : 'I_T -> 'cV[R]_d).

Definition scheduled (lambda_star : R) : R := Num.max 0 lambda_star + 1.

Lemma scheduled_ge0 l : 0 <= scheduled l.
Proof. by rewrite /scheduled addr_ge0 // le_maxr lexx. Qed.

Lemma scheduled_above l : l < scheduled l.
Proof. by rewrite /scheduled ltr_spaddr // le_maxr lexx orbT. Qed.

Definition adds_rows H (W : 'I_H -> 'M[R]_d) (Ws W' : 'M[R]_d) (lambda : R) (m : nat) : Prop :=
  let Z' := Zmx E e W in
  exists rho (f : 'I_m -> 'I_T) (g : 'I_rho -> 'I_T) (i0 : 'I_rho -> 'I_n) (C : 'M[R]_(m, rho))
    (M gamma s sigma c : R),
  [/\ [/\ \rank (rowsub g Z') = \rank Z', C *m rowsub g Z' = rowsub f Z' &
          forall i, W' *m e (f i) = 0],
      bound_constants E e f g Ws W' i0 C M gamma s sigma c,
      0 < gamma, 0 < sigma &
      lambda = scheduled (lambda_star n rho M gamma s sigma c)].

Lemma adds_rowsP H (W : 'I_H -> 'M[R]_d) Ws W' lambda m : adds_rows W Ws W' lambda m ->
  (\rank (Zmx E e W) + m <= \rank (Zmx E e
    (fun h : 'I_H.+1 => oapp W (Ws + lambda *: W')%R (unlift ord_max h))))%N.
Proof.
case=> rho [f [g [i0 [C [M [gamma [s [sigma [c [[rZ CZ W'I] cst g0 s0 ->]]]]]]]]]].
have := @finite_lambda_layer R n d T E e m rho f g Ws W' i0 C M gamma s sigma c W'I cst H W
  (scheduled (lambda_star n rho M gamma s sigma c)) g0 s0 (scheduled_ge0 _) rZ CZ.
by apply=> _; apply: scheduled_above.
Qed.

Theorem lambda_schedule H (Ws W' : nat -> 'M[R]_d) (lambda : nat -> R) (m : nat -> nat) :
    let W h := Ws h + lambda h *: W' h in
    (forall h, (h < H)%N -> adds_rows (fun h' : 'I_h => W h') (Ws h) (W' h) (lambda h) (m h)) ->
  (\sum_(h < H) m h <= \rank (Zmx E e (fun h : 'I_H => W h)))%N.
Proof.
move=> W; elim: H => [|H IHs] step; first by rewrite big_ord0.
rewrite big_ord_recr /=; have le_H : (\sum_(h < H) m h <= \rank (Zmx E e (fun h : 'I_H => W h)))%N.
  by apply: IHs => h hH; apply: step; apply: ltnW.
have := adds_rowsP (step H (ltnSn H)); rewrite -(leq_add2r (m H)) in le_H.
move/(leq_trans le_H)/leq_trans; apply.
rewrite (_ : (fun h : 'I_H.+1 => oapp _ _ _) = fun h : 'I_H.+1 => W h) //.
apply/funext => h; case: unliftP => [h' ->|->] //=.
by congr W; rewrite /= /bump leqNgt ltn_ord.
Qed.

End Schedule.
